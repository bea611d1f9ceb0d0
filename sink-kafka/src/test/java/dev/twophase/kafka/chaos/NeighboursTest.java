package dev.twophase.kafka.chaos;

import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.kafka.KafkaExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** R2, W6: the transactions of a sink whose name begins with another one's are left alone. */
class NeighboursTest {

  private static final long RECORDS = 1_000;

  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  @Test
  void R2_twoJobsOneOfWhoseNamesBeginsWithTheOthers() throws Exception {
    KafkaCluster cluster = KAFKA.cluster();
    cluster.createTopic("of-a", 3);
    cluster.createTopic("of-ab", 3);
    try (ChaosJob ab = ChaosJob.start(cluster, "of-ab", "ab", RECORDS);
        ChaosJob a = ChaosJob.start(cluster, "of-a", "a", RECORDS)) {
      a.awaitCommitted(RECORDS / 4);
      ab.awaitCommitted(RECORDS / 4);
      // Both recover, and look for what they have left behind, while the other writes.
      cluster.broker(1).killAndRestart();
      a.awaitCommitted(RECORDS / 2);
      ab.awaitCommitted(RECORDS / 2);
      cluster.broker(1).killAndRestart();
      a.assertExactlyOnce();
      ab.assertExactlyOnce();
    }
  }
}
