package dev.twophase.kafka.chaos;

import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.kafka.KafkaExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** C7: coordinators and leaders move while transactions are open, prepared and being committed. */
class CoordinatorMoveTest {

  private static final long RECORDS = 5_000;

  @RegisterExtension
  static final KafkaExtension KAFKA = new KafkaExtension(KafkaCluster.builder().nodes(3));

  /** Nightly: three brokers die in turn. */
  @Tag("nightly")
  @Test
  void eachNodeIsKilledInTurn() throws Exception {
    KafkaCluster cluster = KAFKA.cluster();
    try (ChaosJob job = ChaosJob.start(cluster, RECORDS)) {
      for (int node = 1; node <= 3; node++) {
        job.awaitCommitted(RECORDS * node / 5);
        cluster.broker(node).kill();
        job.awaitMoreCommitted();
        cluster.broker(node).start();
      }
      job.assertExactlyOnce();
    }
  }
}
