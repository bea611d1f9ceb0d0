package dev.twophase.testkit.internal.junit;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.Explorer;
import dev.twophase.testkit.internal.explore.FaultPoint;
import dev.twophase.testkit.internal.explore.FreshClasses;
import dev.twophase.testkit.internal.explore.ScriptExploration;
import dev.twophase.testkit.internal.explore.ScriptExploration.PointResult;
import dev.twophase.testkit.internal.report.ReportFolder;
import dev.twophase.testkit.internal.run.CrashGrowth;
import dev.twophase.testkit.internal.run.Namesakes;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.internal.trace.Repetition;
import dev.twophase.testkit.schedule.Schedule;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;

/**
 * The tests of one sink: a node per point at which a fault can happen, each failure a node of its
 * own below it, then what was not checked, then the bound that was reached. Nodes are made, and
 * schedules run, as JUnit asks for them.
 */
public final class ContractNodes {

  private static final int MOST_TOLD = 5;
  private static final String FRESH = "fresh class loader per attempt";

  /** Of a build's time; the nightly run takes what is left of its budget. */
  private static final Duration MOST_FRESH = Duration.ofSeconds(2);

  private final SinkUnderTest<?> sink;
  private final Bound bound;
  private final String name;
  private final String test;
  private final ReportFolder folder;
  private final Verdicts verdicts;
  private String fresh = "not tried";

  /** Why one of the long schedules proves nothing; null if none has been found to be so. */
  private @Nullable String spoiled;

  /** What only fresh classes have shown. */
  private @Nullable Judgement freshlyFound;

  /**
   * @param name of the sink, for people
   * @param test full name of the test class
   */
  public ContractNodes(SinkUnderTest<?> sink, Bound bound, String name, String test) {
    this.sink = sink;
    this.bound = bound;
    this.name = name;
    this.test = test;
    this.folder = Verdicts.folder(name, test);
    this.verdicts = new Verdicts(new Subject<>(sink), name, test);
  }

  /** All nodes; only the schedule of the replay property if that is set, and for this test. */
  public Stream<DynamicNode> all() {
    Optional<String> asked = ReplayLine.askedOf(test);
    if (asked.isPresent()) {
      String line = asked.get();
      return Stream.of(
          DynamicTest.dynamicTest(
              line,
              () -> {
                Verdicts asking = verdicts.loadingAnew(ReplayLine.isolated());
                asking.assertPasses(asking.replayToTheEnd(line));
              }));
    }
    Subject<?> subject = new Subject<>(sink);
    Optional<String> notRunnable = verdicts.notRunnable(bound);
    if (notRunnable.isPresent()) {
      System.out.println(name + ": not explored: " + notRunnable.get());
      return Stream.of(
          DynamicTest.dynamicTest("can be run", () -> Assumptions.abort(notRunnable.get())));
    }
    removeEarlierReports();
    Optional<Judgement> hopeless = verdicts.hopeless(bound);
    if (hopeless.isPresent()) {
      Judgement why = hopeless.get();
      // Before the report, which runs it again: where calls hang that takes its time.
      System.out.println(
          name
              + ": not explored, for it fails without any fault: "
              + why.title()
              + ": "
              + why.why());
      return Stream.of(
          DynamicTest.dynamicTest(
              "runs when nothing goes wrong: " + why.title(), () -> verdicts.assertPasses(why)));
    }
    Explorer explorer = new Explorer(subject, bound);
    return Stream.of(
            explorer.explorations().stream().map(this::node),
            Stream.of(explorer).flatMap(each -> each.lateFindings().stream()).map(this::node),
            Stream.of(explorer).flatMap(this::growth),
            Stream.of(explorer).flatMap(this::namesakes),
            Stream.of(explorer).flatMap(this::freshClasses),
            Stream.of(explorer).map(each -> capabilities(each, subject)),
            Stream.of(explorer).map(each -> boundNode(each, subject)))
        .flatMap(nodes -> nodes);
  }

  private DynamicNode capabilities(Explorer explorer, Subject<?> subject) {
    return new Capabilities(sink)
        .node(explorer.result().firings().keySet(), subject.attemptsRead());
  }

  private Stream<DynamicNode> growth(Explorer explorer) {
    return Capabilities.countsLeftBehind(sink)
        ? Stream.of(
            besides(
                explorer,
                "nothing grows over 1, 2, 4 and 8 crashes",
                CrashGrowth.schedules(bound.parallelism())))
        : Stream.of();
  }

  /** Twelve subtasks may be more than a real server of a test takes. */
  private Stream<DynamicNode> namesakes(Explorer explorer) {
    return bound.parallelism() < 2 || sink.realServers()
        ? Stream.of()
        : Stream.of(
            besides(
                explorer,
                "subtask 1 leaves alone what is subtask 11's (R2)",
                Namesakes.schedules()));
  }

  private DynamicNode besides(Explorer explorer, String title, List<Schedule> schedules) {
    return DynamicContainer.dynamicContainer(
        title,
        schedules.stream()
            .map(
                schedule ->
                    DynamicTest.dynamicTest(
                        schedule.toString(), () -> runBesides(explorer, schedule))));
  }

  /**
   * A sink that is refuted already would only be so again, by a much longer schedule; so each
   * defect, of the sink or of the test, fails once.
   */
  private void runBesides(Explorer explorer, Schedule schedule) {
    Assumptions.assumeTrue(
        explorer.result().refuted() == 0,
        "not run, as the sink is refuted already by a shorter schedule");
    Assumptions.assumeTrue(
        spoiled == null, () -> "not run, as another of these schedules proves nothing: " + spoiled);
    Assumptions.assumeTrue(
        explorer.budgetLeft(), "not run, as the budget of " + bound.budget() + " is used up");
    Judgement judged = explorer.runBesides(schedule);
    if (judged.verdict() == Verdict.INCONCLUSIVE) {
      spoiled = judged.why();
    }
    Assumptions.assumeFalse(
        judged.verdict().passes() && judged.why().contains(CrashGrowth.UNCHECKED), judged.why());
    verdicts.assertPasses(judged);
  }

  /** Run when all schedules have been, in what is left of the time. */
  private Stream<DynamicNode> freshClasses(Explorer explorer) {
    Exploration reached = explorer.result();
    Duration left = bound.budget().minus(reached.took());
    boolean nightly = Bound.ofProfile().equals(Bound.nightly());
    Duration allowed = nightly || left.compareTo(MOST_FRESH) < 0 ? left : MOST_FRESH;
    if (bound.faults() == 0 || reached.refuted() > 0 || allowed.toMillis() <= 0) {
      fresh = "not tried: " + (reached.refuted() > 0 ? "refuted without" : "no time left");
      return Stream.of();
    }
    FreshClasses.Result result = new FreshClasses(new Subject<>(sink), bound).repeat(allowed);
    fresh = result.described();
    Judgement finding = result.finding();
    freshlyFound = finding;
    if (finding != null) {
      return Stream.of(
          DynamicTest.dynamicTest(
              FRESH + ": " + finding.title() + ": " + finding.schedule(),
              () -> verdicts.loadingAnew(result.anew()).assertPasses(finding)));
    }
    return Stream.of(
        DynamicTest.dynamicTest(
            FRESH, () -> Assumptions.assumeTrue(result.repeated() > 0, result.described())));
  }

  /** Named after what was reached, which is known only once all nodes before it have run. */
  private DynamicNode boundNode(Explorer explorer, Subject<?> subject) {
    Exploration reached = explorer.result();
    Repetition repeated = Repetition.of(new Subject<>(sink), explorer.faultless());
    String summary = summary(explorer, reached, repeated);
    // A green test that was cut short must not look like one that was exhausted.
    StringBuilder text = new StringBuilder(name + ": " + reached.describe() + ", " + summary);
    text.append("\n  determinism ").append(repeated.describe());
    text.append("\n  ").append(FRESH).append(": ").append(fresh);
    if (subject.runsWithLeaksUnchecked() > 0) {
      text.append("\n  leaks: not looked for in ")
          .append(subject.runsWithLeaksUnchecked())
          .append(" runs, where something may linger until it times out, or a zombie came late");
    }
    explorer.lateReads().ifPresent(read -> text.append("\n  late copies: ").append(read));
    for (Judgement finding : reached.findings()) {
      text.append("\n  ").append(finding.title()).append(": ").append(finding.schedule());
    }
    Judgement freshly = freshlyFound;
    if (freshly != null) {
      text.append("\n  ").append(freshly.title()).append(": ").append(freshly.schedule());
    }
    System.out.println(text);
    return DynamicTest.dynamicTest(
        (freshly == null ? "" : "refuted with fresh classes, otherwise ") + reached.describe(),
        () -> {
          assertCleanedUp(subject, reached);
          assertConclusive(reached);
          Assumptions.assumeTrue(
              freshly == null, "the sink is refuted, see the node of fresh class loaders");
        });
  }

  private String summary(Explorer explorer, Exploration reached, Repetition repeated) {
    try {
      return "see " + folder.write(name, reached, repeated, explorer.coverage(), fresh);
    } catch (IOException e) {
      // What was found stands whether or not it can be drawn.
      return "the summary could not be written to " + folder + ": " + e;
    }
  }

  private void removeEarlierReports() {
    try {
      folder.removeEarlier();
    } catch (IOException e) {
      System.out.println(
          name + ": reports of earlier runs could not be removed from " + folder + ": " + e);
    }
  }

  private DynamicNode node(ScriptExploration script) {
    return DynamicContainer.dynamicContainer(
        script.name(),
        Stream.of(script)
            .flatMap(each -> each.points().stream())
            .map(point -> node(script, point)));
  }

  private DynamicNode node(ScriptExploration script, FaultPoint point) {
    return DynamicContainer.dynamicContainer(
        point.name(), Stream.of(point).flatMap(each -> outcome(script.explore(each))));
  }

  private DynamicNode node(Judgement finding) {
    return DynamicTest.dynamicTest(
        finding.title() + ": " + finding.schedule(), () -> verdicts.assertPasses(finding));
  }

  private Stream<DynamicNode> outcome(PointResult result) {
    List<DynamicNode> nodes = new ArrayList<>();
    long passed = result.schedules() - result.refuted() - result.inconclusive();
    if (passed > 0) {
      nodes.add(DynamicTest.dynamicTest(passed + " schedules pass", () -> {}));
    }
    result.findings().forEach(finding -> nodes.add(node(finding)));
    for (Judgement again : result.more()) {
      // It has failed at another point already: nobody reads the same a hundred times.
      String title = again.title() + " again";
      String why = title + ", by " + again.schedule() + "; a node that failed before says more";
      nodes.add(DynamicTest.dynamicTest(title, () -> Assumptions.abort(why)));
    }
    return nodes.stream();
  }

  /** What is never removed fills a disk, or a database, and slows down the runs to come. */
  private static void assertCleanedUp(Subject<?> subject, Exploration exploration) {
    if (subject.uncleaned() * 100 > exploration.schedules()) {
      Assertions.fail(
          "cleanUp(...) failed in "
              + subject.uncleaned()
              + " runs, for the first time with "
              + subject.whyUncleaned()
              + "; "
              + exploration.describe());
    }
  }

  /** What was explored must be worth something, whatever it showed. */
  private static void assertConclusive(Exploration exploration) {
    if (exploration.refuted() > 0 && exploration.findings().isEmpty()) {
      Assertions.fail(notRepeated(exploration));
    }
    if (exploration.tooInconclusive() || exploration.schedules() == 0) {
      Assertions.fail(exploration.describe());
    }
    if (!exploration.sufficient()) {
      Assertions.fail(
          "all schedules with up to "
              + exploration.bound().required()
              + " faults are required, see Bound.withRequired, and not all were run and prove"
              + " something: allow more, see Bound.withBudget, or make runs quicker; "
              + exploration.describe());
    }
    if (exploration.distinct() > 0) {
      assertStruck(exploration);
      return;
    }
    Bound bound = exploration.bound();
    if (bound.faults() == 0 && bound.random() == 0) {
      Assumptions.abort(
          "no schedule with a fault was asked for: bound() says 0 faults, so this shows only what"
              + " happens when nothing goes wrong");
    }
    if (!exploration.cutShort()) {
      Assertions.fail(
          "no fault has fired, so nothing is shown: the sink failed before one could, see the"
              + " schedules above; "
              + exploration.describe());
    }
    Assertions.fail(
        "no schedule with a fault was run within the budget of "
            + bound.budget()
            + ", so nothing is shown: allow more, see Bound.withBudget; "
            + exploration.describe());
  }

  /** A budget that left out every fault of a call, such as the commit, has not shown much. */
  private static void assertStruck(Exploration exploration) {
    List<String> never = exploration.neverStruck();
    if (!exploration.cutShort() || never.isEmpty()) {
      return;
    }
    String why =
        "the budget of "
            + exploration.bound().budget()
            + " was over before any fault struck "
            + never
            + ", so nothing is shown about that: allow more, see Bound.withBudget, or make runs"
            + " quicker; ";
    if (exploration.commitsUnstruck()) {
      Assertions.fail(why + exploration.describe());
    }
    Assumptions.abort(why + exploration.describe());
  }

  private static String notRepeated(Exploration exploration) {
    String schedules =
        exploration.unrepeated().stream()
            .distinct()
            .filter(schedule -> !exploration.whyInconclusive().contains(schedule.toString()))
            .limit(MOST_TOLD)
            .map(schedule -> "\n  schedule: " + schedule)
            .collect(Collectors.joining());
    return "refuted "
        + exploration.refuted()
        + " times, but not on repetition: the sink or the test is not deterministic"
        + schedules
        + "\n  "
        + exploration.describe();
  }
}
