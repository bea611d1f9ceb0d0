package dev.twophase.testkit.internal.junit;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.operator.plan.NotRunnable;
import dev.twophase.testkit.internal.report.ReportFolder;
import dev.twophase.testkit.internal.report.Reporter;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/** Turns judgements of one sink into the outcome of tests. */
final class Verdicts {

  private final Subject<?> subject;
  private final String name;

  Verdicts(Subject<?> subject, String name) {
    this.subject = subject;
    this.name = name;
  }

  Judgement replay(String line) {
    return new Replay(subject).replay(Schedule.parse(line));
  }

  void assertPasses(Judgement judgement) {
    assertVerdict(Verdict.PASS, judgement);
  }

  /** Fails, and writes a report, unless the verdict is the one expected. */
  void assertVerdict(Verdict expected, Judgement judgement) {
    if (judgement.verdict() == expected) {
      return;
    }
    String wanted = expected == Verdict.PASS ? "" : "Expected " + expected + ", but: ";
    Assertions.fail(wanted + judgement.describe() + "\n  report:   " + report(judgement));
  }

  private String report(Judgement judgement) {
    try {
      return new Reporter(subject, name)
          .write(judgement, ReportFolder.of(name))
          .toAbsolutePath()
          .toString();
    } catch (IOException e) {
      return "could not be written: " + e;
    }
  }

  /** Why a sink cannot be run at this parallelism at all; empty if it can. */
  Optional<String> notRunnable(Bound bound) {
    Judgement idle = replay("2pk/1 p=" + bound.parallelism() + "; settle");
    return Optional.of(idle.why())
        .filter(why -> idle.verdict() == Verdict.INCONCLUSIVE && NotRunnable.isSaidBy(why));
  }
}
