package dev.twophase.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.twophase.CommitOutcome.Lost;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which producers go on after their transaction. One that sees the transaction version change is in
 * {@code FaultTest}.
 */
class ProducerReuseTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  /** Long enough to prepare a transaction on a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private final String topic = SharedKafka.newTopic(1);
  private final String name = SharedKafka.uniqueName("reuse");

  @AfterEach
  void newestVersion() {
    SharedKafka.cluster().setTransactionVersion(2);
  }

  private TransactionalKafkaSink<String> counted() {
    return Sinks.to(topic, name).setClients(MadeProducers.counted());
  }

  /** Without an epoch of its own for each transaction, another producer takes over the id. */
  @ParameterizedTest
  @CsvSource({"2,1", "1,3"})
  void aProducerWhoseTransactionIsCommittedGoesOnWhereEpochsChange(int version, int producers)
      throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    try (Admin admin = SharedKafka.admin();
        DrivenConnector<String, ?, ?> writer = Sinks.writer(counted().buildConnector(), name)) {
      for (int i = 0; i < 3; i++) {
        Prepared prepared = writer.prepare(i, Integer.toString(i));
        writer.commitLive(prepared);
        SharedKafka.awaitWritten(admin, prepared);
      }
    }
    assertThat(MadeProducers.count()).isEqualTo(producers);
    assertThat(SharedKafka.ids(name)).hasSize(1);
    assertThat(SharedKafka.committed(topic)).containsExactly("0", "1", "2");
  }

  @Test
  void A1_aProducerThatAbortedIsNotUsedAgain() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(counted().buildConnector(), name)) {
      abortOne(writer);
      writer.commitLive(writer.prepare(1, "next"));
    }
    assertThat(MadeProducers.count()).isEqualTo(2);
    assertThat(SharedKafka.ids(name)).hasSize(2);
    assertThat(SharedKafka.committed(topic)).containsExactly("next");
  }

  private static <T> void abortOne(DrivenConnector<String, T, ?> writer) throws Exception {
    writer.connector().abort(writer.begin(0, "aborted"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void C9_aProducerWhoseTransactionTimedOutIsNotUsedAgain(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    TransactionalKafkaSink<String> sink = counted().setTransactionTimeout(SHORT);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      Prepared late = writer.prepare(0, "late");
      await()
          .atMost(LONG)
          .until(() -> !SharedKafka.ids(name, TransactionState.COMPLETE_ABORT).isEmpty());
      assertThat(writer.commitLive(late)).isInstanceOf(Lost.class);

      // As after a quarantine.
      writer.commitLive(writer.prepare(1, "next"));
    }
    assertThat(MadeProducers.count()).isEqualTo(2);
    assertThat(SharedKafka.ids(name)).hasSize(2);
    assertThat(SharedKafka.committed(topic)).containsExactly("next");
  }

  @Test
  void W3_aProducerOfWhichARecordWasRefusedIsNotUsedAgain() throws Exception {
    String small = SharedKafka.uniqueName("small");
    SharedKafka.cluster().createTopic(small, 1, Map.of("max.message.bytes", "100"));
    TransactionalKafkaSink<String> sink =
        Sinks.to(small, name).setClients(MadeProducers.counted()).setProperty("batch.size", "1");
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      assertThatThrownBy(() -> writer.prepare(0, "b".repeat(1_000)))
          .isInstanceOf(KafkaException.class);
      writer.commitLive(writer.prepare(1, "next"));
    }
    assertThat(MadeProducers.count()).isEqualTo(2);
    assertThat(SharedKafka.committed(small)).containsExactly("next");
  }
}
