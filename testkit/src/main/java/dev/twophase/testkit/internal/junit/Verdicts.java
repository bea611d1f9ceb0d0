package dev.twophase.testkit.internal.junit;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.FreshClasses;
import dev.twophase.testkit.internal.explore.Shrinker;
import dev.twophase.testkit.internal.operator.plan.NotRunnable;
import dev.twophase.testkit.internal.report.ReportFolder;
import dev.twophase.testkit.internal.report.Reporter;
import dev.twophase.testkit.internal.run.LateReads;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.internal.trace.Repetition;
import dev.twophase.testkit.schedule.Schedule;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opentest4j.AssertionFailedError;

/** Turns judgements of one sink into the outcome of tests. */
final class Verdicts {

  private final Subject<?> subject;
  private final String name;
  private final String test;
  private final ReportFolder folder;
  private final List<String> anew;

  /**
   * @param name of the sink, for people
   * @param test full name of the test class
   */
  Verdicts(Subject<?> subject, String name, String test) {
    this(subject, name, test, List.of());
  }

  private Verdicts(Subject<?> subject, String name, String test, List<String> anew) {
    this.subject = subject;
    this.anew = anew;
    this.name = name;
    this.test = test;
    this.folder = folder(name, test);
  }

  /** Those of the same sink, some of whose classes each attempt loads anew. */
  Verdicts loadingAnew(List<String> classes) {
    return classes.isEmpty()
        ? this
        : new Verdicts(subject.loadingAnew(classes), name, test, classes);
  }

  /** Simple names may be those of several classes, and one class may test several sinks. */
  static ReportFolder folder(String name, String test) {
    return ReportFolder.of(test.endsWith(name) ? test : test + "-" + name);
  }

  /** Runs a line that a person wrote: a step of it without effect is a mistake. */
  Judgement replay(String line) {
    boolean waits = LateReads.waitsOut(subject.claims().visibilityDelay());
    return replayed(waits ? subject.waitingOutDelays() : subject, line);
  }

  /** The same, of a person who waits for nothing else. */
  Judgement replayToTheEnd(String line) {
    return replayed(subject.waitingOutDelays(), line);
  }

  private static Judgement replayed(Subject<?> subject, String line) {
    return new Replay(subject).refusingIdleSteps().replay(Schedule.parse(line));
  }

  void assertPasses(Judgement judgement) {
    assertVerdict(Verdict.PASS, judgement);
  }

  /** Fails, and writes a report, unless the verdict is the one expected. */
  void assertVerdict(Verdict expected, Judgement judgement) {
    if (judgement.verdict() == expected
        || (expected == Verdict.PASS && judgement.verdict().passes())) {
      return;
    }
    String wanted = expected == Verdict.PASS ? "" : "Expected " + expected + ", but: ";
    String replay = ReplayLine.command(test, judgement.schedule(), anew);
    Repetition repeated = Repetition.of(subject.waitingOutDelays(), judgement.schedule());
    String doubt =
        repeated.conclusive() || !judgement.verdict().accuses()
            ? ""
            : Verdict.INCONCLUSIVE + ", for it does not repeat: ";
    String message =
        doubt
            + wanted
            + judgement.describe(replay)
            + "\n  runs:     "
            + repeated.describe()
            + "\n  report:   "
            + report(judgement, replay, repeated);
    AssertionFailedError failure = new AssertionFailedError(message);
    // Where the kit was when it said so helps nobody, and would be most of what a build prints.
    failure.setStackTrace(Arrays.copyOf(failure.getStackTrace(), 1));
    throw failure;
  }

  private String report(Judgement judgement, String replay, Repetition repeated) {
    try {
      return new Reporter(subject.waitingOutDelays(), name)
          .write(judgement, replay, folder, repeated)
          .toAbsolutePath()
          .toString();
    } catch (IOException e) {
      return "could not be written to " + folder + ": " + e;
    }
  }

  /** Why a sink cannot be run at this parallelism at all; empty if it can. */
  Optional<String> notRunnable(Bound bound) {
    Judgement idle = replayed(subject, "2pk/1 p=" + bound.parallelism() + "; settle");
    return Optional.of(idle.why())
        .filter(why -> idle.verdict() == Verdict.INCONCLUSIVE && NotRunnable.isSaidBy(why));
  }

  /**
   * What becomes of a sink, or a test, that fails when nothing goes wrong, so that no fault would
   * show anything; empty if all is well.
   */
  Optional<Judgement> hopeless(Bound bound) {
    String line =
        "2pk/1 p="
            + bound.parallelism()
            + onEach(bound, "in")
            + onEach(bound, "bar")
            + "; done 1"
            + onEach(bound, "ntf")
            + "; settle";
    long begun = System.nanoTime();
    Replay replay = new Replay(subject);
    Judgement once = replay.replay(Schedule.parse(line));
    Judgement misnamed = FreshClasses.misnamed(subject, once);
    if (misnamed != null) {
      return Optional.of(misnamed);
    }
    Verdict first = once.verdict();
    if (first != Verdict.WEDGE && first != Verdict.INCONCLUSIVE) {
      return Optional.empty();
    }
    // Where calls hang, one more run may take as long as all others together.
    Duration left = left(bound, begun);
    Judgement again = left.isNegative() ? once : replay.replay(Schedule.parse(line));
    if (again.verdict() != first) {
      return Optional.empty();
    }
    return Optional.of(
        first == Verdict.WEDGE ? new Shrinker(replay, again, left(bound, begun)).shrink() : again);
  }

  private static Duration left(Bound bound, long begun) {
    return bound.budget().minusNanos(System.nanoTime() - begun);
  }

  /** Subtask by subtask, so that shortening may leave some of them out. */
  private static String onEach(Bound bound, String verb) {
    return IntStream.range(0, bound.parallelism())
        .mapToObj(subtask -> "; s" + subtask + "." + verb + " 1")
        .collect(Collectors.joining());
  }
}
