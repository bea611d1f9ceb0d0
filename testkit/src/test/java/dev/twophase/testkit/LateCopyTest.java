package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * A second copy that becomes visible within the declared delay, when nothing is missing already.
 */
class LateCopyTest {

  private static final Duration DELAY = Duration.ofMillis(30);
  private static final String LOST_REPLY =
      "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A; settle";

  /** A store whose second copies take half of the delay to come. */
  private static final Map<String, List<Copy>> LATE = new ConcurrentHashMap<>();

  private record Copy(TestRecord record, long visibleFrom) {}

  /** Publishes again what it is told to commit again. */
  private static final class PublishesAgainLater extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    PublishesAgainLater(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      if (store.isCommitted(id)) {
        long visibleFrom = System.nanoTime() + DELAY.toNanos() / 2;
        List<Copy> copies = LATE.computeIfAbsent(namespace, unused -> new ArrayList<>());
        MemoryStore.of(namespace)
            .visible()
            .forEach(record -> copies.add(new Copy(record, visibleFrom)));
      }
      return super.commit(id, handle);
    }
  }

  private static SinkUnderTest<TestRecord> sink(Function<String, MemoryConnector> connector) {
    MemorySink inner =
        new MemorySink(connector, SinkClaims.exactlyOnce().withVisibilityDelay(DELAY));
    return new SinkUnderTest<>() {
      @Override
      public Object sink(SinkSetup setup) {
        return inner.sink(setup);
      }

      @Override
      public TestRecord input(TestRecord record) {
        return record;
      }

      @Override
      public SinkClaims claims() {
        return inner.claims();
      }

      @Override
      public List<TestRecord> readVisible(String namespace) {
        List<TestRecord> visible = new ArrayList<>(inner.readVisible(namespace));
        LATE.getOrDefault(namespace, List.of()).stream()
            .filter(copy -> copy.visibleFrom() <= System.nanoTime())
            .forEach(copy -> visible.add(copy.record()));
        return visible;
      }

      @Override
      public void cleanUp(String namespace) {
        inner.cleanUp(namespace);
        LATE.remove(namespace);
      }
    };
  }

  @Test
  void C2_aReplayWaitsUntilTheSecondCopyMustHaveCome() {
    Judgement judgement = SinkKit.of(sink(PublishesAgainLater::new)).replay(LOST_REPLY);
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.DUPLICATE);
    assertThat(SinkKit.of(sink(MemoryConnector::new)).replay(LOST_REPLY).verdict())
        .isEqualTo(Verdict.PASS);
  }

  @Test
  void C2_anExplorationReadsASampleOfItsRunsAgainWhenTheDelayIsOver() {
    Bound bound =
        Bound.oneFault().withParallelism(1).withCheckpoints(1).withBudget(Duration.ofSeconds(5));
    Exploration explored = SinkKit.of(sink(PublishesAgainLater::new)).explore(bound);

    assertThat(explored.findings()).extracting(Judgement::verdict).contains(Verdict.DUPLICATE);
    assertThat(SinkKit.of(sink(MemoryConnector::new)).explore(bound).refuted()).isZero();
  }
}
