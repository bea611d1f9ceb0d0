package dev.twophase.kafka.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The history of one job and its restarts, by a number that is higher than that of every line
 * before (R6). A start that was accepted although it went back begins another, whose checkpoints'
 * numbers overlap with those that it leaves behind. Written into each mark, so that whoever is
 * restored from what was left behind can tell.
 *
 * @param branches where it left others, with rising numbers and checkpoints
 */
public record Line(long number, List<Branch> branches) {

  /** Marks that name no line were written before lines had numbers. */
  public static final Line FIRST = new Line(1, List.of());

  /** The oldest are forgotten first: a mark has room for 4 KiB. */
  private static final int MOST_BRANCHES = 50;

  /**
   * Of lines with a smaller number, everything behind that checkpoint was left behind.
   *
   * @param line the one that began then
   */
  public record Branch(long line, long checkpoint) {}

  public Line {
    branches = List.copyOf(branches);
  }

  /** Whether this line left a checkpoint of another behind. */
  boolean hasLeftBehind(long line, long checkpoint) {
    return branches.stream()
        .anyMatch(branch -> line < branch.line() && branch.checkpoint() < checkpoint);
  }

  /**
   * The line that begins at a checkpoint of another.
   *
   * @param from the line of that checkpoint; empty if it is not known
   * @param newest what is known of the newest line so far
   */
  static Line branchedOff(OptionalLong from, long checkpoint, Line newest) {
    long number = Math.max(newest.number(), from.orElse(0)) + 1;
    // A line in between that had branched off before that checkpoint is left behind as a whole.
    long leftAt =
        newest.branches().stream()
            .filter(branch -> from.isPresent() && branch.line() > from.getAsLong())
            .mapToLong(Branch::checkpoint)
            .reduce(checkpoint, Math::min);
    List<Branch> branches = new ArrayList<>(newest.branches());
    // What an older branch left behind later, this one leaves behind as well.
    branches.removeIf(branch -> branch.checkpoint() >= leftAt);
    branches.add(new Branch(number, leftAt));
    return new Line(
        number, branches.subList(Math.max(0, branches.size() - MOST_BRANCHES), branches.size()));
  }

  /**
   * One that has committed nothing yet, as far as is known: since that checkpoint, at which it goes
   * on, it will have left the others behind.
   */
  static Line withoutMarks(long number, long checkpoint) {
    return number == FIRST.number()
        ? FIRST
        : new Line(number, List.of(new Branch(number, checkpoint)));
  }

  /** Reads {@link #toString}, in the parts between its spaces; the first line if there are none. */
  static Line parse(List<String> parts) {
    if (parts.isEmpty()) {
      return FIRST;
    }
    List<Branch> branches = new ArrayList<>();
    for (String each : parts.subList(1, parts.size())) {
      int colon = each.indexOf(':');
      branches.add(
          new Branch(
              Long.parseLong(each.substring(0, Math.max(0, colon))),
              Long.parseLong(each.substring(colon + 1))));
    }
    return new Line(Long.parseLong(parts.get(0)), branches);
  }

  @Override
  public String toString() {
    return number
        + branches.stream()
            .map(branch -> " " + branch.line() + ":" + branch.checkpoint())
            .collect(Collectors.joining());
  }
}
