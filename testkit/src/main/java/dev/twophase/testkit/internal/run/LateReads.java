package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.schedule.Schedule;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What becomes visible late, and still within the delay that the sink declares. To wait that out in
 * every run would take longer than all runs, so it is a sample: the first run that passed with each
 * kind of fault is kept, and is read once more when its delay is over, while others run.
 *
 * <p>Thread-safe.
 */
public final class LateReads {

  /** Each has a namespace of its own in the external system. */
  private static final int MOST_KEPT = 100;

  /** What a build waits for; the nightly run waits for all. */
  private static final Duration MOST_AWAITED = Duration.ofSeconds(1);

  private final long delayNanos;
  private final long over;
  private final Set<String> known = new HashSet<>();
  private final Deque<Kept> kept = new ArrayDeque<>();
  private final List<Suspect> suspects = new ArrayList<>(0);
  private int read;
  private int dropped;

  private record Kept(Run run, Supplier<Schedule> schedule, long due) {}

  /**
   * A run that accuses the sink by what came late.
   *
   * @param schedule writes it down, by running it again
   * @param found what came
   */
  public record Suspect(Supplier<Schedule> schedule, Anomaly found) {}

  /**
   * @param delay that the sink declares
   * @param budget after which nobody comes any more to read what is kept
   */
  public LateReads(Duration delay, Duration budget) {
    this.delayNanos = delay.toNanos();
    this.over = System.nanoTime() + budget.toNanos();
  }

  /** Whether the sink declares a delay, so that there is something to be looked for. */
  public boolean any() {
    return delayNanos > 0;
  }

  /**
   * Takes a run over that passed, unless one with that kind of fault has been kept before.
   *
   * @param kind of the last fault of the run
   * @return false if the caller is to close it
   */
  public boolean keep(Run run, String kind, Supplier<Schedule> schedule) {
    if (!any()) {
      return false;
    }
    readDue();
    long due = System.nanoTime() + delayNanos;
    if (due > over && !waitsOut(Duration.ofNanos(delayNanos))) {
      return false;
    }
    synchronized (this) {
      if (kept.size() >= MOST_KEPT || !known.add(kind)) {
        return false;
      }
      run.end();
      kept.add(new Kept(run, schedule, due));
      return true;
    }
  }

  private void readDue() {
    for (Kept due = next(0); due != null; due = next(0)) {
      lookAt(due);
    }
  }

  private synchronized @Nullable Kept next(long earlyNanos) {
    Kept first = kept.peek();
    return first != null && first.due() - System.nanoTime() <= earlyNanos ? kept.poll() : null;
  }

  private void lookAt(Kept due) {
    LockSupport.parkNanos(Math.max(0, due.due() - System.nanoTime()));
    try {
      Anomaly late = due.run().lookAgain();
      synchronized (this) {
        read++;
        if (late != null) {
          suspects.add(new Suspect(due.schedule(), late));
        }
      }
    } finally {
      due.run().cleanUp();
    }
  }

  /** Whether a delay is waited out by whoever has nothing else to do meanwhile. */
  public static boolean waitsOut(Duration delay) {
    return delay.compareTo(MOST_AWAITED) <= 0 || Bound.ofProfile().equals(Bound.nightly());
  }

  /**
   * Reads those whose delay is over, waits for the others if that takes a moment, and gives them up
   * otherwise. To be called when no more runs are made.
   *
   * @return what accuses the sink, and was not returned before
   */
  public List<Suspect> finish() {
    if (waitsOut(Duration.ofNanos(delayNanos))) {
      for (Kept each = next(Long.MAX_VALUE); each != null; each = next(Long.MAX_VALUE)) {
        lookAt(each);
      }
    }
    readDue();
    for (Kept each = next(Long.MAX_VALUE); each != null; each = next(Long.MAX_VALUE)) {
      each.run().cleanUp();
      synchronized (this) {
        dropped++;
      }
    }
    synchronized (this) {
      List<Suspect> found = List.copyOf(suspects);
      suspects.clear();
      return found;
    }
  }

  /** For people. */
  public synchronized String describe() {
    return read
        + " schedules read again when the declared delay of "
        + TimeUnit.NANOSECONDS.toMillis(delayNanos)
        + " ms was over"
        + (dropped == 0 ? "" : ", " + dropped + " more not, as the exploration ended before")
        + (read + dropped == 0 ? ": none was begun so long before the end of the budget" : "");
  }
}
