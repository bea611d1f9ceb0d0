package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.store.BrokenConnectors.PublishesAgain;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.opentest4j.TestAbortedException;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ExactlyOnceSinkContractTest {

  private static final String LINE = "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A";

  private static List<DynamicTest> tests(Function<String, MemoryConnector> connector) {
    List<DynamicTest> tests = new ArrayList<>();
    new Contract(new MemorySink(connector)).isExactlyOnce().forEach(node -> collect(node, tests));
    return tests;
  }

  private static void collect(DynamicNode node, List<DynamicTest> tests) {
    if (node instanceof DynamicContainer container) {
      container.getChildren().forEach(child -> collect(child, tests));
    } else {
      tests.add((DynamicTest) node);
    }
  }

  private static List<String> failures(List<DynamicTest> tests) {
    List<String> failures = new ArrayList<>();
    for (DynamicTest test : tests) {
      try {
        test.getExecutable().execute();
      } catch (TestAbortedException skipped) {
        assertThat(skipped).message().isNotBlank();
      } catch (Throwable failure) {
        failures.add(String.valueOf(failure.getMessage()));
      }
    }
    return failures;
  }

  @Test
  void aCorrectSinkHasOnlyPassingNodes() {
    List<DynamicTest> tests = tests(MemoryConnector::new);

    assertThat(failures(tests)).isEmpty();
    assertThat(tests).hasSizeGreaterThan(100);
  }

  @Test
  void aBrokenSinkHasFailingNodesThatSayWhatWhereAndHowToReplay() {
    List<String> failures = failures(tests(PublishesAgain::new));

    assertThat(failures)
        .anySatisfy(
            message ->
                assertThat(message)
                    .startsWith("DUPLICATE, rule C2")
                    .contains(
                        "record 1 is visible more than once",
                        "records:  id 1 (key k0, sequence 0)",
                        "schedule: 2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A",
                        "replay:   mvn test -Dtest='ExactlyOnceSinkContractTest$Contract'"
                            + " -Dtwophase.schedule='ExactlyOnceSinkContractTest$Contract: "
                            + LINE
                            + "'")
                    .containsPattern("report:   /.*/DUPLICATE-C2-[0-9a-f]+\\.html"));
  }

  @Test
  void theReplayPropertyRunsThatScheduleAlone() {
    System.setProperty(SinkKit.REPLAY_PROPERTY, LINE);
    try {
      List<DynamicTest> tests = tests(PublishesAgain::new);
      assertThat(tests).extracting(DynamicNode::getDisplayName).containsExactly(LINE);
      assertThatThrownBy(() -> tests.get(0).getExecutable().execute())
          .hasMessageContaining("schedule: " + LINE);
    } finally {
      System.clearProperty(SinkKit.REPLAY_PROPERTY);
    }
  }

  @Test
  void theReplayPropertyCanNameTheClassItIsFor() {
    System.setProperty(SinkKit.REPLAY_PROPERTY, "OrdersContractTest: " + LINE);
    try {
      assertThat(tests(MemoryConnector::new)).hasSizeGreaterThan(100);
      System.setProperty(SinkKit.REPLAY_PROPERTY, "ExactlyOnceSinkContractTest$Contract: " + LINE);
      assertThat(tests(MemoryConnector::new))
          .extracting(DynamicNode::getDisplayName)
          .containsExactly(LINE);
    } finally {
      System.clearProperty(SinkKit.REPLAY_PROPERTY);
    }
  }

  @Test
  void aStepWithoutEffectInAReplayedLineIsAnError() {
    System.setProperty(SinkKit.REPLAY_PROPERTY, "2pk/1 p=1; s0.in 1; s0.ntf 9; settle");
    try {
      assertThat(failures(tests(MemoryConnector::new)))
          .singleElement()
          .asString()
          .contains("INCONCLUSIVE", "no effect", "'s0.ntf 9'");
    } finally {
      System.clearProperty(SinkKit.REPLAY_PROPERTY);
    }
  }

  @Test
  void theSameFindingFailsOnceAndIsNamedWhereItIsFoundAgain() {
    List<DynamicTest> tests = tests(PublishesAgain::new);

    assertThat(failures(tests)).doesNotHaveDuplicates().hasSizeBetween(1, 6);
    assertThat(tests)
        .extracting(DynamicNode::getDisplayName)
        .filteredOn(name -> name.endsWith(" again"))
        .hasSizeGreaterThan(20)
        .contains("DUPLICATE (C2) again");
  }

  private static final class Contract extends ExactlyOnceSinkContract<TestRecord> {
    private final MemorySink sink;

    Contract(MemorySink sink) {
      this.sink = sink;
    }

    @Override
    public Object sink(SinkSetup setup) {
      return sink.sink(setup);
    }

    @Override
    public TestRecord input(TestRecord record) {
      return record;
    }

    @Override
    public List<TestRecord> readVisible(String namespace) {
      return sink.readVisible(namespace);
    }
  }
}
