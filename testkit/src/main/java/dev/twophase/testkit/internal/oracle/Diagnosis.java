package dev.twophase.testkit.internal.oracle;

import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.schedule.Fault;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Which protocol rules are broken, told from what a schedule does and what came of it. The shorter
 * the schedule, the surer: in a minimal one, every step is there for a reason.
 */
public final class Diagnosis {

  private final Schedule schedule;
  private final List<Anomaly> anomalies;

  public Diagnosis(Schedule schedule, List<Anomaly> anomalies) {
    this.schedule = schedule;
    this.anomalies = anomalies;
  }

  /** The rules, likeliest first. */
  public List<String> rulesBrokenBy(Anomaly anomaly) {
    return switch (anomaly.verdict()) {
      case LOSS -> loss();
      case DUPLICATE, RESURRECTED -> duplicate();
      case EARLY -> List.of(earlyRule(anomaly));
      case CORRUPT -> List.of(has(Verb.UP) ? "S1" : "W1");
      case TORN -> List.of("V1");
      case REORDER -> List.of("C3", "V1");
      case WEDGE -> wedge();
      case DETECTED -> List.of("C9", "R6");
      case LEAK -> rescales() ? List.of("R3", "R2") : List.of("R2");
      case INCONCLUSIVE, PASS -> List.of();
    };
  }

  private List<String> loss() {
    List<String> rules = new ArrayList<>();
    addIf(rules, faultIn(fault -> isError(fault) && isCommit(fault)), "C7");
    addIf(rules, faultIn(fault -> isError(fault) && !isCommit(fault)), "W3");
    addIf(rules, has(Verb.LOSE), "R5");
    addIf(rules, has(Verb.DOUBT) || has(Verb.ABT), "C5");
    addIf(rules, rescales(), "R3");
    if (crashes()) {
      rules.add("W2");
      rules.add("R1");
    } else {
      addIf(rules, losesNotification(), "C4");
      addIf(rules, has(Verb.EOI), "E1");
    }
    addIf(rules, rules.isEmpty(), "W1");
    return rules;
  }

  private List<String> duplicate() {
    List<String> rules = new ArrayList<>();
    addIf(rules, has(Verb.LOSE), "R5");
    for (Anomaly anomaly : anomalies) {
      addIf(rules, anomaly.verdict() == Verdict.EARLY, earlyRule(anomaly));
    }
    addIf(rules, faultIn(Diagnosis::isCommit) || crashes() || notifiesTwice(), "C2");
    addIf(rules, faultIn(fault -> fault.kind() == FaultKind.APPLIED), "C7");
    addIf(rules, rescales(), "R3");
    addIf(rules, rules.isEmpty(), "W1");
    return rules.stream().distinct().toList();
  }

  private String earlyRule(Anomaly anomaly) {
    return has(Verb.LOSE) && anomaly.moment().contains("@")
        ? "R5"
        : anomaly.moment().contains("the close of") ? "E2" : "C1";
  }

  private List<String> wedge() {
    List<String> rules = new ArrayList<>();
    addIf(rules, faultIn(Diagnosis::isCommit) || crashes(), "C2");
    addIf(rules, !has(Verb.IN) && has(Verb.BAR), "W5");
    addIf(rules, rescales(), "R3");
    rules.add("C8");
    return rules;
  }

  private static void addIf(List<String> rules, boolean condition, String rule) {
    if (condition) {
      rules.add(rule);
    }
  }

  private boolean has(Verb verb) {
    return schedule.steps().stream().anyMatch(step -> step.verb() == verb);
  }

  private boolean rescales() {
    return schedule.steps().stream().anyMatch(step -> step.parallelism() != Step.SAME);
  }

  private boolean crashes() {
    return schedule.steps().stream().skip(1).anyMatch(step -> step.verb() == Verb.UP)
        || has(Verb.KILL)
        || has(Verb.FAIL)
        || faultIn(fault -> fault.kind() == FaultKind.KILL);
  }

  private boolean losesNotification() {
    return schedule.steps().stream()
        .filter(step -> step.verb() == Verb.DONE)
        .anyMatch(
            done ->
                schedule.steps().stream()
                    .noneMatch(step -> step.verb() == Verb.NTF && step.number() == done.number()));
  }

  private boolean notifiesTwice() {
    List<Step> notifications =
        schedule.steps().stream().filter(step -> step.verb() == Verb.NTF).toList();
    return notifications.stream().distinct().count() < notifications.size();
  }

  private boolean faultIn(Predicate<Fault> which) {
    return schedule.steps().stream().flatMap(step -> step.faults().stream()).anyMatch(which);
  }

  private static boolean isCommit(Fault fault) {
    String name = methodOf(fault);
    return name.startsWith("commit") || name.startsWith("notifycheckpointcomplete");
  }

  private static boolean isError(Fault fault) {
    return fault.kind() != FaultKind.KILL;
  }

  private static String methodOf(Fault fault) {
    String name = fault.callClass();
    return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }
}
