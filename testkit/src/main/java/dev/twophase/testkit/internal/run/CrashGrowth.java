package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a sink leaves behind grows over 1, 2, 4 and 8 crashes. It is counted after each
 * notification of completion; what counts is the last time before the next crash, when whatever
 * lingers has been aborted.
 */
public final class CrashGrowth {

  private static final List<Integer> CRASHES = List.of(1, 2, 4, 8);
  private static final int MOST_CRASHES = 8;

  /** How it is said that a run of so many crashes has shown nothing about growth. */
  public static final String UNCHECKED = "growth is unchecked";

  private final Run run;
  private final RunListener listener;
  private final boolean enough;
  private final NavigableMap<Integer, Long> counted = new TreeMap<>();
  private int crashes;

  CrashGrowth(Run run, Schedule schedule, RunListener listener) {
    this.run = run;
    this.listener = listener;
    this.enough = schedule.steps().stream().filter(CrashGrowth::crashes).count() >= MOST_CRASHES;
  }

  private static boolean crashes(Step step) {
    return step.verb() == Verb.KILL || step.verb() == Verb.FAIL;
  }

  /** A step has been executed. */
  void executed(Step step) {
    if (!enough) {
      return;
    }
    if (crashes(step)) {
      crashes++;
    } else if (step.verb() == Verb.NTF) {
      run.leftBehind().ifPresent(this::counted);
    }
  }

  private void counted(long count) {
    counted.put(crashes, count);
    listener.leftBehind(count, crashes);
  }

  /** What is wrong; null if nothing is, or it was not counted often enough. */
  @Nullable Anomaly anomaly() {
    List<Long> counts = new ArrayList<>();
    for (int after : CRASHES) {
      Long count = counted.get(after);
      if (count == null || (!counts.isEmpty() && count <= counts.get(counts.size() - 1))) {
        return null;
      }
      counts.add(count);
    }
    return new Anomaly(
        Verdict.LEAK,
        List.of(),
        "after each crash had been recovered from",
        "what is left behind grows with each crash: it counts "
            + counts
            + " after "
            + CRASHES
            + " crashes");
  }

  /** What a run that found nothing has not shown, as the end of a sentence. */
  String unchecked() {
    return !enough || counted.keySet().containsAll(CRASHES)
        ? ""
        : "; "
            + UNCHECKED
            + ", as leftBehind(...) gave no count after each of "
            + CRASHES
            + " crashes, only after "
            + counted.keySet();
  }

  /**
   * Schedules of eight crashes each: while a transaction is open, while one is prepared, and while
   * a stored checkpoint waits for its notification.
   */
  public static List<Schedule> schedules(int parallelism) {
    return List.of(
        schedule(parallelism, "s*.in 1"),
        schedule(parallelism, "s*.in 1; s*.bar %d"),
        schedule(parallelism, "s*.in 1; s*.bar %1$d; done %1$d"));
  }

  private static Schedule schedule(int parallelism, String beforeCrash) {
    StringBuilder line = new StringBuilder("2pk/1 p=" + parallelism);
    int next = 1;
    for (int crash = 0; crash <= MOST_CRASHES; crash++) {
      next = checkpoint(checkpoint(next, line), line);
      if (crash < MOST_CRASHES) {
        int last = beforeCrash.contains("done") ? next : next - 1;
        line.append("; ")
            .append(String.format(Locale.ROOT, beforeCrash, next))
            .append("; s*.kill; up ")
            .append(last);
        next += beforeCrash.contains("bar") ? 1 : 0;
      }
    }
    return Schedule.parse(line + "; settle");
  }

  private static int checkpoint(int id, StringBuilder line) {
    line.append(String.format(Locale.ROOT, "; s*.in 1; s*.bar %1$d; done %1$d; s*.ntf %1$d", id));
    return id + 1;
  }
}
