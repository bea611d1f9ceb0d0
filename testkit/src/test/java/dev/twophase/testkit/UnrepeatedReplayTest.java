package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a replay on real servers shows once, and not again, accuses nobody. */
class UnrepeatedReplayTest {

  private static final String LINE = "2pk/1 p=1; s0.in 1; settle";
  private static final AtomicInteger RUNS = new AtomicInteger();

  /** All that its first run wrote is there twice. */
  static class OnceDoubled implements OnMemoryStore {
    @Override
    public Object sink(SinkSetup setup) {
      if (RUNS.getAndIncrement() == 0) {
        first = setup.namespace();
      }
      return new MemoryConnector(setup.namespace());
    }

    private String first = "";

    @Override
    public List<TestRecord> readVisible(String namespace) {
      List<TestRecord> visible = new ArrayList<>(MemoryStore.of(namespace).visible());
      if (namespace.equals(first)) {
        visible.addAll(MemoryStore.of(namespace).visible());
      }
      return visible;
    }

    @Override
    public boolean realServers() {
      return true;
    }
  }

  @Test
  void inThisProcess() {
    RUNS.set(0);
    assertUnrepeated(SinkKit.of(new OnceDoubled()).replay(LINE));
  }

  @Test
  @Tag("nightly")
  void onACluster() {
    try (ClusterKit kit = ClusterKit.of(OnceDoubled.class)) {
      assertUnrepeated(kit.replay(LINE));
    }
  }

  private static void assertUnrepeated(Judgement judgement) {
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.why()).contains("D2: found DUPLICATE", "also gets PASS");
  }
}
