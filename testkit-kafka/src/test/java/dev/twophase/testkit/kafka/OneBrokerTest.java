package dev.twophase.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OneBrokerTest {

  @RegisterExtension
  static final KafkaExtension KAFKA =
      new KafkaExtension(
          KafkaCluster.builder()
              .security(ListenerSecurity.SASL_PLAINTEXT)
              .security(ListenerSecurity.SSL));

  // tag::broker[]
  @Test
  void recordsSurviveAKilledBroker() throws Exception {
    Records records = topic("killed");
    records.write("before");
    long pid = KAFKA.cluster().broker(1).pid();

    KAFKA.cluster().broker(1).kill();
    assertThat(ProcessHandle.of(pid)).isEmpty();
    KAFKA.cluster().broker(1).start();
    records.write("after");

    assertThat(records.committed()).containsExactly("before", "after");
  }

  // end::broker[]

  @Test
  void recordsSurviveAStoppedBroker() throws Exception {
    Records records = topic("stopped");
    records.write("before");

    KAFKA.cluster().broker(1).stop();
    assertThat(KAFKA.cluster().broker(1).isRunning()).isFalse();
    KAFKA.cluster().broker(1).start();

    assertThat(records.committed()).containsExactly("before");
  }

  @Test
  void aFrozenBrokerAnswersOnceItIsThawed() throws Exception {
    Records records = topic("frozen");
    try (KafkaProducer<String, String> producer = records.producer("")) {
      producer.send(new ProducerRecord<>("frozen", "before")).get();
      KAFKA.cluster().broker(1).freeze();
      Future<RecordMetadata> sent = producer.send(new ProducerRecord<>("frozen", "after"));
      assertThatThrownBy(() -> sent.get(1, TimeUnit.SECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);

      KAFKA.cluster().broker(1).thaw();
      sent.get(30, TimeUnit.SECONDS);
    }
    assertThat(records.committed()).containsExactly("before", "after");
  }

  @Test
  void aTransactionIsSeenWhenItIsCommitted() {
    Records records = topic("transaction");
    try (KafkaProducer<String, String> producer = records.producer("id")) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("transaction", "aborted"));
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("transaction", "committed"));
      producer.commitTransaction();
    }
    assertThat(records.committed()).containsExactly("committed");
  }

  @Test
  void theTransactionVersionCanBeLoweredAndRaised() throws Exception {
    assertThat(transactionVersion(KAFKA.cluster())).isEqualTo(2);
    KAFKA.cluster().setTransactionVersion(1);
    Awaitility.await().until(() -> transactionVersion(KAFKA.cluster()) == 1);
    KAFKA.cluster().setTransactionVersion(2);
    Awaitility.await().until(() -> transactionVersion(KAFKA.cluster()) == 2);
  }

  @Test
  void aClientWithAPasswordComesThroughTheSaslListener() throws Exception {
    Records records = topic("sasl").through(ListenerSecurity.SASL_PLAINTEXT, KAFKA.cluster());
    records.write("known");
    assertThat(records.committed()).containsExactly("known");
  }

  @Test
  void aClientThatTrustsTheCertificateComesThroughTheTlsListener() throws Exception {
    Records records = topic("tls").through(ListenerSecurity.SSL, KAFKA.cluster());
    records.write("encrypted");
    assertThat(records.committed()).containsExactly("encrypted");
  }

  static int transactionVersion(KafkaCluster cluster) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
      return admin
          .describeFeatures()
          .featureMetadata()
          .get(30, TimeUnit.SECONDS)
          .finalizedFeatures()
          .get("transaction.version")
          .maxVersionLevel();
    }
  }

  private static Records topic(String name) {
    KAFKA.cluster().createTopic(name, 1);
    return Records.of(KAFKA.cluster(), name);
  }
}
