package dev.twophase.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.Unfinished;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What grows, and what does not. */
class BoundsTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private static final int CHECKPOINTS = 1_000;
  private static final int RESTARTS = 50;
  private static final int POOL = 2;

  /** As in a job: one transaction is prepared while the one before waits for its commit. */
  @Test
  void producersThreadsAndIdsDoNotGrowWithCheckpoints() throws Exception {
    String topic = SharedKafka.newTopic(1);
    String name = SharedKafka.uniqueName("bounds");
    int threads = 0;
    try (Admin admin = SharedKafka.admin();
        DrivenConnector<String, ?, ?> writer =
            Sinks.writer(Sinks.to(topic, name).buildConnector(), name)) {
      Prepared waiting = writer.prepare(0, "0");
      for (int checkpoint = 1; checkpoint <= CHECKPOINTS; checkpoint++) {
        Prepared next = writer.prepare(checkpoint, Integer.toString(checkpoint));
        writer.commitLive(waiting);
        SharedKafka.awaitWritten(admin, waiting);
        waiting = next;
        if (checkpoint == POOL) {
          threads = clientThreads(name);
        }
      }
      writer.commitLive(waiting);
      assertThat(clientThreads(name)).isEqualTo(threads);
      assertThat(SharedKafka.ids(name)).hasSize(POOL);
    }
    assertThat(SharedKafka.committed(topic)).hasSize(CHECKPOINTS + 1).doesNotHaveDuplicates();
  }

  @Test
  void idsGrowByThePoolWithEachRestartAndNoneStaysOngoing() throws Exception {
    String topic = SharedKafka.newTopic(1);
    String name = SharedKafka.uniqueName("restarts");
    for (int restart = 0; restart < RESTARTS; restart++) {
      try (DrivenConnector<String, ?, ?> writer =
          Sinks.writer(Sinks.to(topic, name).buildConnector(), name)) {
        List<Unfinished> lingering = writer.unfinished();
        writer.commitLive(writer.prepare(restart, "committed"));
        for (Unfinished each : lingering) {
          writer.connector().abort(each);
        }
        assertThat(SharedKafka.ids(name, TransactionState.ONGOING)).isEmpty();
        writer.prepare(restart, "lingering");
      }
    }
    assertThat(SharedKafka.ids(name).size()).isLessThanOrEqualTo(RESTARTS * POOL);
    assertThat(SharedKafka.committed(topic)).hasSize(RESTARTS).containsOnly("committed");
  }

  private static int clientThreads(String name) {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().contains(name))
            .count();
  }
}
