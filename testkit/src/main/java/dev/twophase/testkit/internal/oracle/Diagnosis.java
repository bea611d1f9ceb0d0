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
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Which protocol rules are broken, told from what a schedule does and what came of it. The shorter
 * the schedule, the surer: in a minimal one, every step is there for a reason.
 */
public final class Diagnosis {

  private static final Pattern IN_SERIALIZER =
      Pattern.compile("thrown in \\S+\\.(de)?serialize\\(");

  private final Schedule schedule;
  private final List<Anomaly> anomalies;

  public Diagnosis(Schedule schedule, List<Anomaly> anomalies) {
    this.schedule = schedule;
    this.anomalies = anomalies;
  }

  /** The rules, likeliest first. */
  public List<String> rulesBrokenBy(Anomaly anomaly) {
    if (external("neighbour") && anomaly.verdict().accuses()) {
      return anomaly.verdict() == Verdict.EARLY ? List.of("C1", "W6") : List.of("R2", "W6", "A1");
    }
    return switch (anomaly.verdict()) {
      case LOSS -> loss();
      case DUPLICATE, RESURRECTED -> duplicate();
      case EARLY -> early(anomaly);
      case CORRUPT -> List.of(leavesZombie() ? "R5" : has(Verb.UP) ? "S1" : "W1");
      case TORN -> List.of("V1");
      case REORDER -> List.of("C3", "V1");
      case WEDGE -> anomaly.declared() ? falseAlarm() : wedge(anomaly);
      case LEAK -> rescales() ? List.of("R3", "R2") : List.of("R2");
      case INCONCLUSIVE, DETECTED, PASS -> List.of();
    };
  }

  private List<String> loss() {
    List<String> rules = new ArrayList<>();
    addIf(rules, isTakenBack(), "R6");
    addIf(rules, external("expire"), "C6");
    addIf(rules, external("down"), "C7");
    addIf(rules, sharesIds(), "W6");
    addIf(rules, leavesZombie(), "R5");
    addIf(rules, faultIn(fault -> fault.kind() == FaultKind.DELAYED), "R4");
    addIf(rules, errorIn(true), "C7");
    addIf(rules, errorIn(false), "W3");
    addIf(rules, has(Verb.DOUBT) || has(Verb.ABT), "C5");
    addIf(rules, rescales(), "R3");
    if (crashes()) {
      rules.add("W2");
      rules.add("R1");
      rules.add("R2");
      rules.add("W6");
      addIf(rules, closes(), "E2");
    } else {
      addIf(rules, losesNotification() || has(Verb.SAV), "C4");
      addIf(rules, has(Verb.EOI), "E1");
    }
    addIf(rules, followsItself(), "W6");
    if (rules.isEmpty()) {
      rules.add("W1");
      rules.add("W3");
    }
    return rules.stream().distinct().toList();
  }

  private List<String> duplicate() {
    List<String> rules = new ArrayList<>();
    addIf(rules, isTakenBack(), "R6");
    addIf(rules, external("down"), "C7");
    addIf(rules, leavesZombie(), "R5");
    addIf(rules, sharesIds(), "W6");
    for (Anomaly anomaly : anomalies) {
      if (anomaly.verdict() == Verdict.EARLY) {
        rules.addAll(early(anomaly));
      }
    }
    addIf(rules, faultIn(Diagnosis::isCommit) || crashes() || notifiesTwice(), "C2");
    addIf(rules, faultIn(fault -> fault.kind() == FaultKind.APPLIED), "C7");
    addIf(rules, rescales(), "R3");
    addIf(rules, rules.isEmpty(), "W1");
    return rules.stream().distinct().toList();
  }

  private List<String> early(Anomaly anomaly) {
    if (leavesZombie() && anomaly.moment().contains("@")) {
      return List.of("R5");
    }
    if (anomaly.moment().contains("the close of")) {
      return List.of("E2");
    }
    return anomaly.moment().contains("the notification of completion") && nothingElsePrepared()
        ? List.of("W4", "C1")
        : List.of("C1");
  }

  /** Whether the last checkpoint notified is also the last one whose barrier passed. */
  private boolean nothingElsePrepared() {
    long notified = last(Verb.NTF);
    return notified > 0 && last(Verb.BAR) <= notified;
  }

  private long last(Verb verb) {
    return schedule.steps().stream()
        .filter(step -> step.verb() == verb)
        .mapToLong(Step::number)
        .max()
        .orElse(0);
  }

  /** A loss was declared that is none, or that nobody but an attempt of the sink has caused. */
  private List<String> falseAlarm() {
    return leavesZombie() ? List.of("R5", "R4", "C6") : List.of("C6", "C9");
  }

  private List<String> wedge(Anomaly anomaly) {
    List<String> rules = new ArrayList<>();
    addIf(rules, IN_SERIALIZER.matcher(anomaly.found()).find(), "S1");
    addIf(rules, faultIn(Diagnosis::isCommit), "C2");
    if (crashes() && committedBefore()) {
      rules.add("C2");
    } else if (crashes()) {
      rules.add("W2");
      rules.add("S1");
    }
    addIf(rules, !has(Verb.IN), "W5");
    addIf(rules, rescales(), "R3");
    addIf(rules, closes(), "E2");
    if (crashes()) {
      rules.add("R2");
      rules.add("A1");
    }
    addIf(rules, followsItself(), "W6");
    rules.add("C8");
    return rules.stream().distinct().toList();
  }

  /** Whether anything was told to commit before the last crash. */
  private boolean committedBefore() {
    return has(Verb.NTF) || restarts();
  }

  /** Whether several subtasks have input, and nothing has to go wrong besides. */
  private boolean sharesIds() {
    long subtasks =
        schedule.steps().stream()
            .filter(step -> step.verb() == Verb.IN)
            .flatMap(step -> subtasksOf(step).boxed())
            .distinct()
            .count();
    return subtasks > 1 && !crashes() && !leavesZombie() && !faultIn(fault -> true);
  }

  /**
   * Whether a subtask has input before a barrier and after it, and nothing has to go wrong besides:
   * what it wrote first is in the way of what it wrote next, or the reverse.
   */
  private boolean followsItself() {
    return !crashes()
        && !leavesZombie()
        && !faultIn(fault -> true)
        && IntStream.range(0, schedule.parallelism()).anyMatch(this::hasInputOnBothSides);
  }

  private boolean hasInputOnBothSides(int subtask) {
    List<Verb> verbs =
        schedule.steps().stream()
            .filter(step -> step.verb() == Verb.IN || step.verb() == Verb.BAR)
            .filter(step -> subtasksOf(step).anyMatch(each -> each == subtask))
            .map(Step::verb)
            .toList();
    int first = verbs.indexOf(Verb.IN);
    List<Verb> later = first < 0 ? List.of() : verbs.subList(first, verbs.size());
    return later.contains(Verb.BAR) && later.lastIndexOf(Verb.IN) > later.indexOf(Verb.BAR);
  }

  private IntStream subtasksOf(Step step) {
    return step.subtask() == Step.ALL
        ? IntStream.range(0, schedule.parallelism())
        : IntStream.of(step.subtask());
  }

  private static void addIf(List<String> rules, boolean condition, String rule) {
    if (condition) {
      rules.add(rule);
    }
  }

  /** Whether the job starts again from further back than from the latest stored checkpoint. */
  private boolean isTakenBack() {
    long stored = 0;
    for (Step step : schedule.steps()) {
      if (step.verb() == Verb.DONE) {
        stored = step.number();
      } else if (step.verb() == Verb.UP && step.number() < stored) {
        return true;
      }
    }
    return false;
  }

  private boolean external(String event) {
    return schedule.steps().stream()
        .anyMatch(step -> step.verb() == Verb.EXT && step.word().equals(event));
  }

  private boolean leavesZombie() {
    return has(Verb.LOSE) || faultIn(fault -> fault.kind() == FaultKind.DELAYED);
  }

  private boolean has(Verb verb) {
    return schedule.steps().stream().anyMatch(step -> step.verb() == verb);
  }

  private boolean rescales() {
    return schedule.steps().stream().anyMatch(step -> step.parallelism() != Step.SAME);
  }

  private boolean crashes() {
    return restarts()
        || has(Verb.KILL)
        || has(Verb.FAIL)
        || faultIn(fault -> fault.kind() == FaultKind.KILL);
  }

  /** Whether an attempt is closed that has not come to its end. */
  private boolean closes() {
    return has(Verb.FAIL) || (restarts() && !has(Verb.KILL));
  }

  private boolean restarts() {
    return schedule.steps().stream().skip(1).anyMatch(step -> step.verb() == Verb.UP);
  }

  /** Whether a barrier passed of whose checkpoint nobody is told. */
  private boolean losesNotification() {
    return schedule.steps().stream()
        .filter(step -> step.verb() == Verb.BAR)
        .anyMatch(
            barrier ->
                schedule.steps().stream()
                    .noneMatch(
                        step -> step.verb() == Verb.NTF && step.number() == barrier.number()));
  }

  private boolean notifiesTwice() {
    List<Step> notifications =
        schedule.steps().stream().filter(step -> step.verb() == Verb.NTF).toList();
    return notifications.stream().distinct().count() < notifications.size();
  }

  private boolean faultIn(Predicate<Fault> which) {
    return schedule.steps().stream().flatMap(step -> step.faults().stream()).anyMatch(which);
  }

  /** Whether a call that is, or is not, part of a commit ends with an error. */
  private boolean errorIn(boolean commit) {
    return schedule.steps().stream()
        .anyMatch(
            step ->
                step.faults().stream()
                    .filter(fault -> fault.kind() != FaultKind.KILL)
                    .filter(fault -> fault.kind() != FaultKind.DELAYED)
                    .anyMatch(fault -> commit == (step.verb() == Verb.NTF || isCommit(fault))));
  }

  private static boolean isCommit(Fault fault) {
    String name = methodOf(fault);
    return name.startsWith("commit") || name.startsWith("notifycheckpointcomplete");
  }

  private static String methodOf(Fault fault) {
    String name = fault.callClass();
    return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }
}
