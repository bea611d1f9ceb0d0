package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.flink.TransactionalSink;
import dev.twophase.testkit.store.BrokenConnectors.KeepsRecordsOnTheHeap;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class OperatorExplorationTest {

  /** The connector behind Flink's Sink V2. */
  private record SinkV2(Function<String, MemoryConnector> connector) implements OnMemoryStore {

    @Override
    public Object sink(SinkSetup setup) {
      return TransactionalSink.of(
          setup.sinkName(), connector.apply(setup.namespace()), setup.options());
    }

    @Override
    public Optional<Collection<?>> unfinished(String namespace) {
      return Optional.of(MemoryStore.of(namespace).unfinished());
    }
  }

  private static Exploration explore(Function<String, MemoryConnector> connector) {
    Bound bound = new Bound(1, 1, 1, Duration.ofMinutes(5));
    return SinkKit.of(new SinkV2(connector)).explore(bound);
  }

  @Test
  void aCorrectSinkIsExhausted() {
    Exploration exploration = explore(MemoryConnector::new);

    assertThat(exploration.findings()).isEmpty();
    assertThat(exploration.exhausted()).as(exploration.describe()).isTrue();
  }

  @Test
  void W2_recordsKeptInTheProcessAreLostWithIt() {
    Exploration exploration = explore(KeepsRecordsOnTheHeap::new);

    assertThat(exploration.findings())
        .anySatisfy(finding -> assertThat(finding.title()).isEqualTo("LOSS (W2)"));
  }
}
