package dev.twophase.file.internal.bucket;

import dev.twophase.file.internal.publish.Commit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a subtask has come to: all that it wrote up to a checkpoint can be seen, and from there on
 * it gets no record before the watermark. The text form is the name of a mark.
 *
 * @param parts number of subtasks
 */
public record Progress(int subtask, int parts, long checkpoint, long watermark) {

  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,18})\\.(-?\\d{1,19})");

  /** What is told by a committed transaction whose manifest names a watermark. */
  static Optional<Progress> by(Commit commit) {
    return commit
        .manifestName()
        .filter(name -> name.watermark().isPresent())
        .map(
            name ->
                new Progress(
                    commit.id().subtask(),
                    name.parts(),
                    commit.checkpointId(),
                    name.watermark().getAsLong()));
  }

  /** Reads the text form; empty if it is none. */
  public static Optional<Progress> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new Progress(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                Long.parseLong(matcher.group(4))))
        : Optional.empty();
  }

  /**
   * What all subtasks have come to by the checkpoint of one of them; empty if one has not come so
   * far. A subtask that has ended comes no further.
   */
  Optional<Passed> passedByAll(Collection<Progress> known) {
    long lowest = Long.MAX_VALUE;
    Map<Integer, Long> checkpoints = new HashMap<>();
    for (int other = 0; other < parts; other++) {
      int index = other;
      Optional<Progress> last =
          known.stream()
              .filter(progress -> progress.subtask == index && progress.parts == parts)
              .max(Comparator.comparingLong(Progress::checkpoint));
      if (last.isEmpty() || !(last.get().checkpoint >= checkpoint || last.get().hasEnded())) {
        return Optional.empty();
      }
      lowest = Math.min(lowest, last.get().watermark);
      checkpoints.put(index, last.get().checkpoint);
    }
    return Optional.of(new Passed(lowest, checkpoint, checkpoints));
  }

  /** Those of the same subtask that this one goes beyond. */
  List<Progress> surpassed(Collection<Progress> known) {
    return known.stream()
        .filter(progress -> progress.subtask == subtask && progress.checkpoint < checkpoint)
        .toList();
  }

  private boolean hasEnded() {
    return watermark == Long.MAX_VALUE;
  }

  @Override
  public String toString() {
    return subtask + "." + parts + "." + checkpoint + "." + watermark;
  }
}
