package dev.twophase.testkit.internal.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.util.List;
import org.apache.flink.streaming.api.connector.sink2.SupportsPreWriteTopology;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class ContractNodesTest {

  @Test
  void aSinkThatTheTierCannotRunIsSkippedWithTheReason() {
    List<DynamicNode> nodes =
        new ContractNodes(new ShufflingSink(), Bound.oneFault(), "shuffling", "ShufflingTest")
            .all()
            .toList();

    assertThat(nodes).hasSize(1);
    assertThatThrownBy(((DynamicTest) nodes.get(0)).getExecutable()::execute)
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("mixes subtasks")
        .hasMessageContaining("run this sink at p=1 or in the cluster tier");
  }

  @Test
  void whatASinkDoesNotDeclareIsSkippedWithTheReason() {
    MemorySink sink = new MemorySink(MemoryConnector::new);
    DynamicContainer capabilities = (DynamicContainer) new Capabilities(sink).node();

    List<String> reasons =
        capabilities.getChildren().map(ContractNodesTest::reasonForSkipping).toList();

    assertThat(reasons)
        .containsExactly(
            "",
            "",
            "Assumption failed: leftBehind(namespace) is not overridden, so growth goes unchecked",
            "",
            "Assumption failed: the sink declares no policy for that: SinkClaims.withRewind",
            "",
            "Assumption failed: explorations may not let one move in: toleratesNeighbours() is"
                + " false",
            "Assumption failed: explorations may not take it down: externalEvents() does not name"
                + " DOWN",
            "Assumption failed: explorations may not let it: externalEvents() does not name EXPIRE");
  }

  private static String reasonForSkipping(DynamicNode node) {
    try {
      ((DynamicTest) node).getExecutable().execute();
      return "";
    } catch (TestAbortedException skipped) {
      return skipped.getMessage();
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  private static final class ShufflingSink implements SinkUnderTest<String> {
    @Override
    public Object sink(SinkSetup setup) {
      return new Shuffling();
    }

    @Override
    public String input(TestRecord record) {
      return record.asText();
    }

    @Override
    public List<TestRecord> readVisible(String namespace) {
      return List.of();
    }
  }

  private static final class Shuffling extends DiscardingSink<String>
      implements SupportsPreWriteTopology<String> {
    @Override
    public DataStream<String> addPreWriteTopology(DataStream<String> input) {
      return input.map(record -> record).returns(String.class).rebalance();
    }
  }
}
