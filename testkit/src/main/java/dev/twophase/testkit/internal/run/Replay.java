package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.oracle.Diagnosis;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.schedule.Fault;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs schedules as they are written, and judges them. */
public final class Replay {

  private final Subject<?> subject;
  private final boolean refusesIdleSteps;

  public Replay(Subject<?> subject) {
    this(subject, false);
  }

  private Replay(Subject<?> subject, boolean refusesIdleSteps) {
    this.subject = subject;
    this.refusesIdleSteps = refusesIdleSteps;
  }

  /**
   * The same, to which a step without effect is a mistake of whoever wrote the line: a run that
   * passes with one proves nothing.
   */
  public Replay refusingIdleSteps() {
    return new Replay(subject, true);
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
    List<Step> idle = new ArrayList<>();
    try (Run run =
        new Run(
            subject,
            schedule.parallelism(),
            schedule.source(),
            follower.apply(faults),
            true,
            listener)) {
      CrashGrowth growth = new CrashGrowth(run, schedule, listener);
      for (Step step : schedule.steps()) {
        faults.enter(step);
        listener.stepBegins(run, step);
        boolean executed = run.execute(step);
        if (executed) {
          growth.executed(step);
        } else {
          idle.add(step);
        }
        Anomaly grown = step.verb() == Verb.SETTLE ? growth.anomaly() : null;
        if (grown != null) {
          run.accuse(grown);
        }
        listener.stepEnds(run, executed);
      }
      return judge(schedule, run, objection(faults, idle), growth.unchecked());
    } catch (InconclusiveException e) {
      return inconclusive(schedule, String.valueOf(e.getMessage()));
    }
  }

  /** What is wrong with a run that went to its end; null if nothing is. */
  private @Nullable String objection(AddressedFaults faults, List<Step> idle) {
    List<Fault> unfired = faults.unfired();
    if (!unfired.isEmpty()) {
      Set<String> made = faults.made();
      return "planned faults did not fire: "
          + unfired
          + (made.isEmpty()
              ? "; no call was made there"
              : "; the calls that were made there: " + String.join(", ", made));
    }
    return !refusesIdleSteps || idle.isEmpty()
        ? null
        : "steps had no effect, such as '"
            + idle.get(0)
            + "': there is no such subtask or checkpoint then; leave them out or correct them";
  }

  private static Judgement judge(
      Schedule schedule, Run run, @Nullable String objection, String unchecked) {
    Anomaly worst = run.worst();
    if (worst == null) {
      String reason = run.inconclusive() != null ? run.inconclusive() : objection;
      return reason != null
          ? inconclusive(schedule, reason)
          : new Judgement(
              schedule,
              run.verdict(),
              Set.of(run.verdict()),
              List.of(),
              List.of(),
              run.detected() == null
                  ? "nothing found" + unchecked
                  : "the sink stopped, as it declares, with " + run.detected());
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
