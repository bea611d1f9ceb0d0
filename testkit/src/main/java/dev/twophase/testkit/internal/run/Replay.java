package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.job.InconclusiveException;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.oracle.Diagnosis;
import dev.twophase.testkit.schedule.Fault;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs schedules as they are written, and judges them. */
public final class Replay {

  private final Subject<?> subject;

  public Replay(Subject<?> subject) {
    this.subject = subject;
  }

  /** Runs a schedule; a planned fault that does not fire makes it inconclusive. */
  public Judgement replay(Schedule schedule) {
    return replay(schedule, UnaryOperator.identity(), RunListener.NONE);
  }

  /**
   * The same, followed.
   *
   * @param follower sees what is decided about each call, and passes it on
   */
  public Judgement replay(
      Schedule schedule, UnaryOperator<CallDecider> follower, RunListener listener) {
    AddressedFaults faults = new AddressedFaults();
    try (Run run =
        new Run(
            subject, schedule.parallelism(), schedule.source(), follower.apply(faults), listener)) {
      for (Step step : schedule.steps()) {
        faults.enter(step);
        listener.stepBegins(run, step);
        listener.stepEnds(run, run.execute(step));
      }
      return judge(schedule, run, faults.unfired());
    } catch (InconclusiveException e) {
      return inconclusive(schedule, String.valueOf(e.getMessage()));
    }
  }

  private static Judgement judge(Schedule schedule, Run run, List<Fault> unfired) {
    Anomaly worst = run.worst();
    if (worst == null) {
      String reason = run.inconclusive();
      if (reason == null && !unfired.isEmpty()) {
        reason = "planned faults did not fire: " + unfired;
      }
      return reason != null
          ? inconclusive(schedule, reason)
          : new Judgement(
              schedule, Verdict.PASS, Set.of(Verdict.PASS), List.of(), List.of(), "nothing found");
    }
    EnumSet<Verdict> found = EnumSet.noneOf(Verdict.class);
    run.anomalies().forEach(anomaly -> found.add(anomaly.verdict()));
    List<String> rules = new Diagnosis(schedule, run.anomalies()).rulesBrokenBy(worst);
    return new Judgement(schedule, worst.verdict(), found, rules, worst.records(), sentence(worst));
  }

  private static String sentence(Anomaly anomaly) {
    @Nullable TestRecord first = anomaly.records().isEmpty() ? null : anomaly.records().get(0);
    String subject =
        first == null
            ? ""
            : anomaly.records().size() == 1
                ? "record " + first.id() + " is "
                : anomaly.records().size() + " records, among them " + first.id() + ", are ";
    return subject + anomaly.found() + ", seen " + anomaly.moment();
  }

  private static Judgement inconclusive(Schedule schedule, String reason) {
    return new Judgement(
        schedule, Verdict.INCONCLUSIVE, Set.of(Verdict.INCONCLUSIVE), List.of(), List.of(), reason);
  }
}
