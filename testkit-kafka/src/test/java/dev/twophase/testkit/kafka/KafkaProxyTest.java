package dev.twophase.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.proxy.Interception;
import dev.twophase.testkit.proxy.RequestFault;
import dev.twophase.testkit.proxy.TcpProxy;
import dev.twophase.testkit.proxy.wire.KafkaFramer;
import dev.twophase.testkit.proxy.wire.WireReply;
import dev.twophase.testkit.proxy.wire.WireRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KafkaProxyTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  // tag::proxy[]
  private static final TcpProxy PROXY = TcpProxy.open(new KafkaFramer());

  private static KafkaCluster cluster;

  @BeforeAll
  static void start() {
    cluster = KafkaCluster.builder().advertisedPort(1, PROXY.port()).start();
    PROXY.forwardTo(cluster.broker(1).port());
  }

  @Test
  void aCommitWhoseReplyIsLostIsRepeatedByTheClientAndIsOneCommit() throws Exception {
    Records records = topic("lost");
    try (KafkaProducer<String, String> producer = inTransaction(records, "lost")) {
      Interception fault = PROXY.intercept(WireRequest.ofType("EndTxn"), RequestFault.REPLY_LOST);
      producer.commitTransaction();
      assertThat(fault.awaitFired(LONG).contains("id-lost")).isTrue();
      assertThat(fault.answer()).contains(WireReply.Outcome.SUCCESS);
    }
    assertThat(records.committed()).containsExactly("lost");
  }

  // end::proxy[]

  @AfterEach
  void heal() {
    PROXY.heal();
  }

  @AfterAll
  static void stop() {
    cluster.close();
    PROXY.close();
  }

  @Test
  void aCommitThatIsNeverSentIsSentAgainByTheClient() throws Exception {
    Records records = topic("unsent");
    try (KafkaProducer<String, String> producer = inTransaction(records, "unsent")) {
      Interception fault = PROXY.intercept(WireRequest.ofType("EndTxn"), RequestFault.NOT_SENT);
      producer.commitTransaction();
      fault.awaitFired(LONG);
    }
    assertThat(records.committed()).containsExactly("unsent");
  }

  @Test
  void aSwallowedReplyLeavesTheClientInDoubtAndTheTransactionCommitted() throws Exception {
    Records records = topic("swallowed");
    try (KafkaProducer<String, String> producer = inTransaction(records, "swallowed")) {
      Interception fault =
          PROXY.intercept(WireRequest.ofType("EndTxn"), RequestFault.REPLY_SWALLOWED);
      assertThatThrownBy(producer::commitTransaction).isInstanceOf(TimeoutException.class);
      fault.awaitFired(LONG);
      PROXY.heal();
      producer.close(Duration.ZERO);
    }
    assertThat(records.committed()).containsExactly("swallowed");
  }

  @Test
  void nothingOfAClientGoesPastTheProxy() throws Exception {
    Records records = topic("past");
    PROXY.refuse(true);
    PROXY.cutAll();
    Map<String, Object> properties = new HashMap<>(records.client());
    properties.put("max.block.ms", 1_000);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
      assertThatThrownBy(() -> producer.partitionsFor("past")).isInstanceOf(TimeoutException.class);
    }
  }

  private static Records topic(String name) {
    cluster.createTopic(name, 1);
    return Records.of(cluster, name);
  }

  /** With short timeouts, and one record sent. */
  private static KafkaProducer<String, String> inTransaction(Records records, String topic) {
    Map<String, String> client = new HashMap<>(records.client());
    client.put("max.block.ms", "4000");
    KafkaProducer<String, String> producer = new Records(client, topic).producer("id-" + topic);
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(topic, topic));
    producer.flush();
    return producer;
  }
}
