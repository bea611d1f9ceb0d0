package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Verb;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class of points at which something can go wrong in one of several ways, and how often each way
 * was tried and came about. Not thread-safe.
 */
public final class Cell {

  private static final String END = "end of ";

  /** By number of attempts that run: each has its own ways to end. */
  private static final List<String> ENDS =
      List.of(END + "none", END + "an attempt", END + "one of two", END + "one of several");

  private final @Nullable Verb where;
  private final String what;
  private final List<FaultKind> kinds;
  private final boolean freezesLast;
  private long[] fired = new long[4];
  private long[] impossible = new long[4];
  private long missed;
  private int options = 1;

  /**
   * @param where verb of the step; null for what happens to the job
   * @param what the call, or the event
   */
  Cell(@Nullable Verb where, String what, Kinds kinds) {
    this.where = where;
    this.what = what;
    this.kinds =
        where == null
            ? List.of()
            : where == Verb.UP || where == Verb.NTF ? kinds.freezing(what) : kinds.of(what);
    this.freezesLast =
        !this.kinds.isEmpty() && this.kinds.get(this.kinds.size() - 1) == FaultKind.DELAYED;
  }

  /** The event that one of so many attempts ends. */
  public static String endOfOneOf(int running) {
    return ENDS.get(Math.min(running, ENDS.size() - 1));
  }

  public @Nullable Verb where() {
    return where;
  }

  String what() {
    return what;
  }

  /** Whether it is an attempt's end between two steps. */
  public boolean endsAttempts() {
    return where == null && what.startsWith(END);
  }

  /** What can happen to the call; nothing if it is an event. */
  List<FaultKind> kinds() {
    return kinds;
  }

  /** Whether the last of its kinds means that the call freezes. */
  boolean freezesLast() {
    return freezesLast;
  }

  /** It can go wrong in all but the first of this many ways. */
  public void offers(int count) {
    if (count > options) {
      options = count;
      fired = Arrays.copyOf(fired, Math.max(fired.length, count));
      impossible = Arrays.copyOf(impossible, Math.max(impossible.length, count));
    }
  }

  public void fired(int option) {
    fired[option]++;
  }

  /** The call failed by itself, so that the reply of a success could not be lost. */
  public void impossible(int option) {
    impossible[option]++;
  }

  /** The call that was to be struck did not come: it is made in a thread of the sink's own. */
  public void missed() {
    missed++;
  }

  /** Adds what came about at the same class of points elsewhere. */
  void add(Cell other) {
    offers(other.options);
    missed += other.missed;
    for (int i = 0; i < other.options; i++) {
      fired[i] += other.fired[i];
      impossible[i] += other.impossible[i];
    }
  }

  public long firings() {
    return Arrays.stream(fired).sum();
  }

  /**
   * How many of its ways never came about, though nothing made them impossible; at least one if a
   * call was missed.
   */
  public int unreached() {
    int count = missed > 0 ? 1 : 0;
    for (int i = 1; i < options; i++) {
      count += fired[i] == 0 && impossible[i] == 0 ? 1 : 0;
    }
    return count;
  }

  public Coverage coverage() {
    return Coverage.of(
        toString(),
        where == null ? Coverage.waysOf(what) : kinds.stream().map(Cell::letter).toList(),
        Arrays.copyOf(fired, options),
        Arrays.copyOf(impossible, options));
  }

  private static String letter(FaultKind kind) {
    return String.valueOf(kind.letter());
  }

  @Override
  public String toString() {
    return what + " in " + (where == null ? "job" : where.word());
  }
}
