package dev.twophase.kafka.chaos;

import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.kafka.KafkaExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** C7: a broker that dies or freezes delays commits, and neither loses nor repeats a record. */
class BrokerFaultsTest {

  private static final long RECORDS = 1_500;

  /** A killed broker is let in again when its former session has ended. */
  @RegisterExtension
  static final KafkaExtension KAFKA =
      new KafkaExtension(KafkaCluster.builder().property("broker.session.timeout.ms", 3_000));

  @Test
  void aBrokerKilledTwice() throws Exception {
    survivesKills(2);
  }

  /** Nightly: each restart takes some seconds. */
  @Tag("nightly")
  @Test
  void aBrokerKilledAgainAndAgain() throws Exception {
    survivesKills(8);
  }

  private static void survivesKills(int kills) throws Exception {
    KafkaCluster cluster = KAFKA.cluster();
    try (ChaosJob job = ChaosJob.start(cluster, RECORDS)) {
      for (int kill = 1; kill <= kills; kill++) {
        job.awaitCommitted(RECORDS * kill / (kills + 1));
        cluster.broker(1).killAndRestart();
      }
      job.assertExactlyOnce();
    }
  }

  @Test
  void aBrokerFrozenForLongerThanItsClientsWait() throws Exception {
    KafkaCluster cluster = KAFKA.cluster();
    try (ChaosJob job = ChaosJob.start(cluster, RECORDS)) {
      job.awaitCommitted(RECORDS / 3);
      cluster.broker(1).freeze();
      ChaosJob.outlastTimeouts();
      cluster.broker(1).thaw();
      job.assertExactlyOnce();
    }
  }
}
