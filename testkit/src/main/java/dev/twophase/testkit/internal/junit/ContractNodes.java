package dev.twophase.testkit.internal.junit;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.internal.explore.Explorer;
import dev.twophase.testkit.internal.explore.FaultPoint;
import dev.twophase.testkit.internal.explore.ScriptExploration;
import dev.twophase.testkit.internal.explore.ScriptExploration.PointResult;
import dev.twophase.testkit.internal.report.ReportFolder;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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

  private final SinkUnderTest<?> sink;
  private final Bound bound;
  private final String name;
  private final Verdicts verdicts;

  /**
   * @param name of the sink, for people and for the folder of its reports
   */
  public ContractNodes(SinkUnderTest<?> sink, Bound bound, String name) {
    this.sink = sink;
    this.bound = bound;
    this.name = name;
    this.verdicts = new Verdicts(new Subject<>(sink), name);
  }

  /** All nodes; only the schedule of the replay property if that is set. */
  public Stream<DynamicNode> all() {
    String line = System.getProperty(SinkKit.REPLAY_PROPERTY);
    Subject<?> subject = new Subject<>(sink);
    if (line != null) {
      return Stream.of(
          DynamicTest.dynamicTest(
              line, () -> verdicts.assertPasses(new Replay(subject).replay(Schedule.parse(line)))));
    }
    Optional<String> notRunnable = verdicts.notRunnable(bound);
    if (notRunnable.isPresent()) {
      return Stream.of(
          DynamicTest.dynamicTest("can be run", () -> Assumptions.abort(notRunnable.get())));
    }
    Explorer explorer = new Explorer(subject, bound);
    return Stream.of(
            explorer.explorations().stream().map(this::node),
            Stream.of(new Capabilities(sink).node()),
            Stream.of(explorer).map(this::boundNode))
        .flatMap(nodes -> nodes);
  }

  /** Named after what was reached, which is known only once all nodes before it have run. */
  private DynamicNode boundNode(Explorer explorer) {
    Exploration reached = explorer.result();
    Path summary = summary(explorer, reached);
    // A green test that was cut short must not look like one that was exhausted.
    System.out.println(name + ": " + reached.describe() + ", see " + summary);
    return DynamicTest.dynamicTest(reached.describe(), () -> assertConclusive(reached));
  }

  private Path summary(Explorer explorer, Exploration reached) {
    try {
      return ReportFolder.of(name).write(name, reached, explorer.coverage());
    } catch (IOException e) {
      throw new UncheckedIOException("The summary could not be written", e);
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

  private Stream<DynamicNode> outcome(PointResult result) {
    List<DynamicNode> nodes = new ArrayList<>();
    long passed = result.schedules() - result.refuted() - result.inconclusive();
    if (passed > 0) {
      nodes.add(DynamicTest.dynamicTest(passed + " schedules pass", () -> {}));
    }
    for (Judgement finding : result.findings()) {
      nodes.add(
          DynamicTest.dynamicTest(
              finding.title() + ": " + finding.schedule(), () -> verdicts.assertPasses(finding)));
    }
    for (Judgement again : result.more()) {
      String title = again.verdict() + " again: " + again.schedule();
      nodes.add(
          DynamicTest.dynamicTest(
              title,
              () -> Assertions.fail(title + "; neither shortened nor drawn, as many others were")));
    }
    return nodes.stream();
  }

  private static void assertConclusive(Exploration exploration) {
    if (exploration.tooInconclusive() || exploration.schedules() == 0) {
      Assertions.fail(exploration.describe());
    }
  }
}
