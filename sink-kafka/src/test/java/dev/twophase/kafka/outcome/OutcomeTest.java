package dev.twophase.kafka.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.twophase.CommitOutcome;
import dev.twophase.CommitOutcome.Lost;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.kafka.internal.commit.KafkaHandle;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C6: what became of a transaction is proven, by its coordinator's state or by its witness. */
class OutcomeTest {

  /** Long enough to prepare a transaction on a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private final String topic = SharedKafka.newTopic(1);
  private final String name = SharedKafka.uniqueName("outcome");

  @AfterEach
  void newestVersion() {
    SharedKafka.cluster().setTransactionVersion(2);
  }

  private TransactionalKafkaSink<String> sink() {
    return Sinks.to(topic, name);
  }

  private Prepared prepareAndCrash(TransactionalKafkaSink<String> sink) throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      return writer.prepare(0, "a", "b");
    }
  }

  private CommitOutcome commit(Prepared prepared) throws Exception {
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink().buildConnector(), name)) {
      return committer.commit(prepared);
    }
  }

  private static String transactionalId(Prepared prepared) {
    return ((KafkaHandle) prepared.live()).facts().transactionalId();
  }

  /** What anybody does who uses the id again: the coordinator forgets the transaction before. */
  private static void initialiseAgain(String transactionalId, int times) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", SharedKafka.cluster().bootstrapServers());
    properties.put("transactional.id", transactionalId);
    for (int i = 0; i < times; i++) {
      try (KafkaProducer<String, String> other =
          new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
        other.initTransactions();
      }
    }
  }

  /** The next transaction of the same id, left open. */
  private void openNext(String transactionalId) throws Exception {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", SharedKafka.cluster().bootstrapServers());
    properties.put("transactional.id", transactionalId);
    KafkaProducer<String, String> other =
        new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    other.initTransactions();
    other.beginTransaction();
    other.send(new ProducerRecord<>(topic, "not ours")).get();
    other.close(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anOutageLongerThanTheTimeoutIsALossThatNamesWhatAndWhere(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    Prepared prepared = prepareAndCrash(sink().setTransactionTimeout(SHORT));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !SharedKafka.ids(name, TransactionState.COMPLETE_ABORT).isEmpty());

    CommitOutcome outcome = commit(prepared);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Lost.class,
            lost ->
                assertThat(lost.evidence())
                    .contains(
                        "CompleteAbort",
                        "a read_committed consumer passes over its record " + topic + "-0@",
                        topic + " partitions [0]",
                        transactionalId(prepared)));
    assertThat(SharedKafka.committed(topic)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aCommittedTransactionWhoseIdWasUsedAgainIsAlreadyCommitted(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    Prepared prepared = prepareAndCrash(sink());
    assertThat(commit(prepared)).isEqualTo(CommitOutcome.committed());
    for (int times : List.of(1, 2)) {
      initialiseAgain(transactionalId(prepared), times);
      assertThat(commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void A1_aCommitNeverEndsTheNextTransactionOfItsId(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    Prepared prepared = prepareAndCrash(sink());
    assertThat(commit(prepared)).isEqualTo(CommitOutcome.committed());
    openNext(transactionalId(prepared));

    assertThat(commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());

    assertThat(SharedKafka.ids(name, TransactionState.ONGOING)).hasSize(1);
    assertThat(SharedKafka.committed(topic)).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anAbortedTransactionWhoseIdWasUsedAgainIsLost(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    Prepared prepared = prepareAndCrash(sink());
    for (int times : List.of(1, 2)) {
      // The first one aborts what is prepared.
      initialiseAgain(transactionalId(prepared), times);
      assertThat(commit(prepared))
          .isInstanceOfSatisfying(
              Lost.class, lost -> assertThat(lost.evidence()).contains("passes over its record"));
    }
  }

  /** They are the producer's, and of a type that no consumer takes. */
  @Test
  void interceptorsOfTheProducerAreNotGivenToTheWitnessesReader() throws Exception {
    TransactionalKafkaSink<String> intercepted =
        sink().setProperty("interceptor.classes", Counting.class.getName());
    Counting.SENT.set(0);
    Prepared prepared = prepareAndCrash(intercepted);
    assertThat(Counting.SENT.get()).isPositive();
    commit(prepared);
    initialiseAgain(transactionalId(prepared), 1);
    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(intercepted.buildConnector(), name)) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
  }

  /** As tracing has it. */
  public static final class Counting implements ProducerInterceptor<byte[], byte[]> {
    static final AtomicInteger SENT = new AtomicInteger();

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
      SENT.incrementAndGet();
      return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> configs) {}
  }

  @Test
  void aTransactionThatNoEvidenceIsLeftOfIsRefusedAndSaysSo() throws Exception {
    Prepared prepared = prepareAndCrash(sink());
    commit(prepared);
    initialiseAgain(transactionalId(prepared), 1);
    deleteAllRecords();

    assertThatThrownBy(() -> commit(prepared))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("cannot be proven")
        .hasMessageContaining("was removed by retention, compaction or deletion")
        .hasMessageContaining("setMarkerTopic");
  }

  @Test
  void aMarkerOutlivesTheRecordsOfItsTransaction() throws Exception {
    String markers = SharedKafka.newTopic(1);
    Prepared prepared = prepareAndCrash(sink().setMarkerTopic(markers));
    commit(prepared);
    initialiseAgain(transactionalId(prepared), 1);
    deleteAllRecords();

    assertThat(commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    assertThat(SharedKafka.committed(markers)).containsExactly(prepared.id().toString());
  }

  private void deleteAllRecords() throws Exception {
    try (Admin admin = SharedKafka.admin()) {
      TopicPartition partition = new TopicPartition(topic, 0);
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-1))).all().get();
    }
  }

  @Test
  void W3_aTransactionThatTimedOutBeforeItsCheckpointCannotBePrepared() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(sink().setTransactionTimeout(Duration.ofSeconds(1)).buildConnector(), name)) {
      assertThatThrownBy(() -> prepareLate(writer))
          .isInstanceOf(KafkaException.class)
          .hasMessageContaining("setTransactionTimeout");
    }
  }

  private <T> void prepareLate(DrivenConnector<String, T, ?> writer) throws Exception {
    T transaction = writer.begin(0, "a");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !SharedKafka.ids(name, TransactionState.COMPLETE_ABORT).isEmpty());
    writer.preCommit(0, transaction);
  }
}
