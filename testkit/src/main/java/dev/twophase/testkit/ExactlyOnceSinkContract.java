package dev.twophase.testkit;

import dev.twophase.testkit.internal.explore.Explorer;
import dev.twophase.testkit.internal.explore.FaultPoint;
import dev.twophase.testkit.internal.explore.ScriptExploration;
import dev.twophase.testkit.internal.explore.ScriptExploration.PointResult;
import dev.twophase.testkit.internal.run.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Extend it, and JUnit 5 runs your sink through every schedule up to a bound. There is one node per
 * point at which a fault can happen; what breaks the sink gets a node of its own, with the shortest
 * schedule that shows it. The last node says which bound was reached, and whether the budget cut it
 * short. To run one schedule again, set the system property {@value SinkKit#REPLAY_PROPERTY} to its
 * line.
 *
 * @param <IN> type of the sink's records
 */
public abstract class ExactlyOnceSinkContract<IN> implements SinkUnderTest<IN> {

  /** How far to go; by default {@link Bound#oneFault()}. */
  protected Bound bound() {
    return Bound.oneFault();
  }

  /** The nodes described above. */
  @TestFactory
  final Stream<DynamicNode> isExactlyOnce() {
    String line = System.getProperty(SinkKit.REPLAY_PROPERTY);
    if (line != null) {
      return Stream.of(
          DynamicTest.dynamicTest(line, () -> assertPasses(SinkKit.of(this).replay(line))));
    }
    Explorer explorer = new Explorer(new Subject<>(this), bound());
    Stream<DynamicNode> scripts = explorer.scripts().stream().map(this::node);
    return Stream.concat(scripts, Stream.of(explorer).map(this::boundNode));
  }

  /** Named after what was reached, which is known only once all nodes before it have run. */
  private DynamicNode boundNode(Explorer explorer) {
    Exploration reached = explorer.result();
    // A green test that was cut short must not look like one that was exhausted.
    System.out.println(getClass().getSimpleName() + ": " + reached.describe());
    return DynamicTest.dynamicTest(reached.describe(), () -> assertConclusive(reached));
  }

  private DynamicNode node(ScriptExploration script) {
    return DynamicContainer.dynamicContainer(
        script.name(),
        Stream.of(script)
            .flatMap(each -> each.points().stream())
            .map(point -> node(script, point)));
  }

  private static DynamicNode node(ScriptExploration script, FaultPoint point) {
    return DynamicContainer.dynamicContainer(
        point.name(), Stream.of(point).flatMap(each -> outcome(script.explore(each))));
  }

  private static Stream<DynamicNode> outcome(PointResult result) {
    List<DynamicNode> nodes = new ArrayList<>();
    long passed = result.schedules() - result.refuted() - result.inconclusive();
    if (passed > 0) {
      nodes.add(DynamicTest.dynamicTest(passed + " schedules pass", () -> {}));
    }
    for (Judgement finding : result.findings()) {
      nodes.add(
          DynamicTest.dynamicTest(
              finding.title() + ": " + finding.schedule(), () -> assertPasses(finding)));
    }
    return nodes.stream();
  }

  private static void assertPasses(Judgement judgement) {
    if (judgement.verdict() != Verdict.PASS) {
      Assertions.fail(judgement.describe());
    }
  }

  private static void assertConclusive(Exploration exploration) {
    if (exploration.tooInconclusive() || exploration.schedules() == 0) {
      Assertions.fail(exploration.describe());
    }
  }
}
