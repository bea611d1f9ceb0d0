package dev.twophase.kafka.contract;

import dev.twophase.flink.TransactionalSink;
import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.testkit.ClusterKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract on a real Flink cluster, with a broker of its own: what the faster tiers find must
 * hold there as well.
 */
class ClusterContractTest {

  private static final String[] SCHEDULES = {
    "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !Producer.commitTransaction#1=A; s0.kill; s0.up 1; settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; s*.in 1; s*.bar 2; done 2; s*.nab 1; s0.ntf 2; s*.fail; up 2;"
        + " settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=4; settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !Producer.commitTransaction#1=K; s*.kill; up 1;"
        + " settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1 !s0:EndTransactions.end#1=A; s*.kill; up"
        + " 1; settle",
  };

  @Test
  void C2_throughSinkV2() {
    assertPasses(ThroughSinkV2.class);
  }

  @Tag("nightly")
  @Test
  void C2_throughTheFunction() {
    assertPasses(ThroughTheFunction.class);
  }

  private static void assertPasses(Class<? extends SinkUnderTest<?>> sink) {
    try (ClusterKit kit = ClusterKit.of(sink)) {
      for (String schedule : SCHEDULES) {
        kit.assertPasses(schedule);
      }
    }
  }

  /** Made in the process of the cluster, as the other. */
  static final class ThroughSinkV2 extends KafkaSinkContract {

    @Override
    public Object sink(SinkSetup setup) {
      return TransactionalSink.of(
          setup.sinkName(),
          new WithoutLifetime<>(configured(setup).buildConnector()),
          setup.options());
    }
  }

  static final class ThroughTheFunction extends KafkaSinkContract {

    @Override
    public Object sink(SinkSetup setup) {
      return TransactionalSinkFunction.of(
          setup.sinkName(),
          new WithoutLifetime<>(configured(setup).buildConnector()),
          setup.options());
    }
  }
}
