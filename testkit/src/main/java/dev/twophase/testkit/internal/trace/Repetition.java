package dev.twophase.testkit.internal.trace;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What came of running a schedule again and again.
 *
 * @param determinism which class the runs show the sink, and the system behind it, to be of
 * @param runs how many there were
 * @param alike how many of them were like the first: in their trace, or, for {@link
 *     Determinism#D2}, in verdict and faults fired
 * @param hash over the trace that they share; 0 for {@link Determinism#D2}
 * @param first the first run, as it was followed
 */
public record Repetition(
    Determinism determinism, int runs, int alike, long hash, TraceRecorder first) {

  private static final int MOST_RUNS = 100;

  /** How often what accuses a sink must do so where no two runs are quite alike. */
  public static final int RUNS_ON_REAL_SERVERS = 5;

  private static final Duration MOST_TIME = Duration.ofMillis(500);

  private record Followed(TraceRecorder recorder, Judgement judgement) {
    boolean fired(Schedule schedule) {
      int planned = schedule.steps().stream().map(Step::faults).mapToInt(List::size).sum();
      return recorder.fired() == planned;
    }
  }

  /** Repeats a schedule: a hundred times if there is time, and a few times on real servers. */
  public static Repetition of(Subject<?> subject, Schedule schedule) {
    Followed first = follow(subject, schedule);
    if (subject.realServers()) {
      return onRealServers(subject, schedule, first);
    }
    long deadline = System.nanoTime() + MOST_TIME.toNanos();
    int runs = 1;
    int alike = 1;
    boolean ownThreads = first.recorder().sawOwnThreads();
    while (runs < 2 || (runs < MOST_RUNS && System.nanoTime() < deadline)) {
      TraceRecorder next = follow(subject, schedule).recorder();
      runs++;
      ownThreads |= next.sawOwnThreads();
      alike += next.hash() == first.recorder().hash() ? 1 : 0;
    }
    if (alike < runs) {
      return onRealServers(subject, schedule, first);
    }
    return new Repetition(
        ownThreads ? Determinism.D1 : Determinism.D0,
        runs,
        alike,
        first.recorder().hash(),
        first.recorder());
  }

  private static Repetition onRealServers(Subject<?> subject, Schedule schedule, Followed first) {
    int alike = first.fired(schedule) ? 1 : 0;
    for (int run = 1; run < RUNS_ON_REAL_SERVERS; run++) {
      Followed next = follow(subject, schedule);
      boolean same = next.judgement().verdict() == first.judgement().verdict();
      alike += same && next.fired(schedule) ? 1 : 0;
    }
    return new Repetition(Determinism.D2, RUNS_ON_REAL_SERVERS, alike, 0, first.recorder());
  }

  private static Followed follow(Subject<?> subject, Schedule schedule) {
    TraceRecorder recorder = new TraceRecorder(schedule);
    Judgement judgement = new Replay(subject).replay(schedule, recorder::following, recorder);
    return new Followed(recorder, judgement);
  }

  /**
   * A judgement of a sink, unless it accuses one on real servers and does not repeat: then it
   * proves nothing.
   */
  public static Judgement confirmed(Subject<?> subject, Judgement judgement) {
    if (!subject.realServers() || !judgement.verdict().accuses()) {
      return judgement;
    }
    for (int run = 1; run < RUNS_ON_REAL_SERVERS; run++) {
      Judgement next = new Replay(subject).replay(judgement.schedule());
      if (next.verdict() != judgement.verdict()) {
        return refuted(judgement, next);
      }
    }
    return judgement;
  }

  /** What becomes of a judgement when the same schedule gets another verdict. */
  public static Judgement refuted(Judgement found, Judgement next) {
    return new Judgement(
        found.schedule(),
        Verdict.INCONCLUSIVE,
        Set.of(Verdict.INCONCLUSIVE),
        List.of(),
        List.of(),
        Determinism.D2
            + ": found "
            + found.verdict()
            + " ("
            + found.why()
            + "), but the same schedule also gets "
            + next.verdict()
            + ": "
            + next.why());
  }

  /** Whether what was found may be relied on. */
  public boolean conclusive() {
    return alike == runs;
  }

  /** For people. */
  public String describe() {
    String count = " in " + alike + " of " + runs + " runs";
    return switch (determinism) {
      case D0 -> "D0: the same trace" + count + hashText();
      case D1 -> "D1 (threads of the sink): the same calls of each attempt" + count + hashText();
      case D2 ->
          "D2 (real servers, or runs that differ): the same verdict, and all faults fired,"
              + count
              + (conclusive() ? "" : ", so that it proves nothing");
    };
  }

  private String hashText() {
    return String.format(Locale.ROOT, ", hash %016x", hash);
  }
}
