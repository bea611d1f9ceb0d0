package dev.twophase.kafka.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.kafka.PassingClients;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.kafka.internal.client.KafkaClients;
import dev.twophase.testkit.connector.DrivenConnector;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** E3: what is refused before anything is written, with setting, value and remedy. */
class PreflightTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private final String topic = SharedKafka.newTopic(1);
  private final String name = SharedKafka.uniqueName("preflight");

  private void preflight(TransactionalKafkaSink<String> sink) throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      writer.preflight();
    }
  }

  @Test
  void aSoundSetUpPasses() {
    assertThatCode(() -> preflight(Sinks.to(topic, name))).doesNotThrowAnyException();
  }

  @Test
  void aMissingTopicIsRefused() {
    assertThatThrownBy(() -> preflight(Sinks.to("nosuch", name)))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("topic is nosuch (not found)")
        .hasMessageContaining("Create it")
        .hasMessageContaining("what was committed to it is gone");
    assertThatThrownBy(() -> preflight(Sinks.to(topic, name).setMarkerTopic("nosuch")))
        .hasMessageContaining("markerTopic is nosuch (not found)");
  }

  @Test
  void anInvalidTopicNameIsRefused() {
    assertThatThrownBy(() -> preflight(Sinks.to("my topic", name)))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("topic is my topic (not a valid name)");
  }

  @Test
  void brokersThatDoNotAnswerAreNamedWithTheSettings() {
    TransactionalKafkaSink<String> lost =
        Sinks.to(topic, name)
            .setBootstrapServers("127.0.0.1:1")
            .setProperty("request.timeout.ms", "500")
            .setProperty("default.api.timeout.ms", "1000");
    assertThatThrownBy(() -> preflight(lost))
        .isInstanceOf(KafkaException.class)
        .hasMessageContaining("Sink '" + name + "' cannot speak to the brokers at 127.0.0.1:1")
        .hasMessageContaining("setBootstrapServers")
        .hasMessageContaining("security.protocol");
  }

  /** A client of its own accord waits for a minute before it says anything. */
  @Test
  void brokersThatAreDownAreToldOfWhileTheStartStillWaits() throws Exception {
    TransactionalKafkaSink<String> lost =
        Sinks.to(topic, name)
            .setBootstrapServers("127.0.0.1:1")
            .setProperty("request.timeout.ms", "5000")
            .setProperty("default.api.timeout.ms", "12000");
    try (CapturedLog log = new CapturedLog("dev.twophase.kafka.internal.OpenKafka")) {
      assertThatThrownBy(() -> preflight(lost)).hasMessageContaining("cannot speak to the brokers");
      assertThat(log.text())
          .contains(
              "Sink '" + name + "'", "127.0.0.1:1", "10000 ms", "setBootstrapServers", "12000 ms");
    }
  }

  /** No start can check it; the producer itself says nothing while it waits. */
  @Test
  void aTopicThatOnlyRecordsNameAndThatIsMissingIsToldOfWhileWritingWaitsForIt() throws Exception {
    String missing = SharedKafka.uniqueName("missing");
    TransactionalKafkaSink<String> sink =
        Sinks.named(name)
            .setTopicSelector(record -> missing)
            .setValueSerializer(new SimpleStringSchema())
            .setProperty("max.block.ms", "3000");
    try (CapturedLog log = new CapturedLog("dev.twophase.kafka.internal.NewTopics");
        DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      assertThatThrownBy(() -> writer.prepare(0, "a")).hasMessageContaining(missing);
      await()
          .untilAsserted(
              () ->
                  assertThat(log.text())
                      .contains(
                          "Sink '" + name + "'",
                          missing,
                          SharedKafka.cluster().bootstrapServers(),
                          "create it",
                          "3000 ms"));
    }
  }

  @Test
  void S2_propertiesThatNoClientKnowsAreWarnedOfByTheirNamesAlone() throws Exception {
    try (CapturedLog log = new CapturedLog("dev.twophase.kafka.internal.Preflight")) {
      preflight(
          Sinks.to(topic, name)
              .setProperty("linger.msx", "5")
              .setProperty("my.pasword", "hunter2"));
      assertThat(log.text())
          .contains("Sink '" + name + "'", "[linger.msx, my.pasword]", "misspelt")
          .doesNotContain("hunter2");
    }
  }

  /** Where the cluster's login configuration is found is known there alone. */
  @Test
  void clientsThatCannotBeMadeAreToldWithTheSinkAndWhereToLook() {
    TransactionalKafkaSink<String> withoutLogin =
        Sinks.to(topic, name).setProperty("security.protocol", "SASL_PLAINTEXT");
    assertThatThrownBy(() -> preflight(withoutLogin))
        .isInstanceOf(KafkaException.class)
        .hasMessageContaining("Sink '" + name + "' cannot make its Kafka clients")
        .hasMessageContaining("KafkaClient")
        .hasMessageContaining("sasl.*");
  }

  @Test
  void aMissingMarkerTopicIsRefused() {
    assertThatThrownBy(() -> preflight(Sinks.to(topic, name).setMarkerTopic("nomarker")))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("nomarker (not found)");
  }

  @Test
  void aTransactionTimeoutAboveTheBrokersIsRefused() {
    assertThatThrownBy(
            () -> preflight(Sinks.to(topic, name).setTransactionTimeout(Duration.ofHours(1))))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("transactionTimeout is 3600000 ms")
        .hasMessageContaining("at most 900000 ms")
        .hasMessageContaining("transaction.max.timeout.ms");
  }

  @Test
  void aTopicThatCouldNeverAcknowledgeARecordIsRefused() {
    String unwritable = SharedKafka.uniqueName("unwritable");
    SharedKafka.cluster().createTopic(unwritable, 1, Map.of("min.insync.replicas", "2"));
    assertThatThrownBy(() -> preflight(Sinks.to(unwritable, name)))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("min.insync.replicas of topic " + unwritable + " is 2, with 1");
  }

  @Test
  void aTopicThatTakesLessThanABatchIsRefused() {
    String small = SharedKafka.uniqueName("small");
    SharedKafka.cluster().createTopic(small, 1, Map.of("max.message.bytes", "10000"));
    assertThatThrownBy(() -> preflight(Sinks.to(small, name)))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("batch.size is 65536")
        .hasMessageContaining("10000");
  }

  @Test
  void aTopicWhoseRecordsOneDiskHoldsIsWarnedOf() throws Exception {
    assertThat(logged(Sinks.to(topic, name)))
        .contains(
            "Topic " + topic + " acknowledges records that one replica has",
            "min.insync.replicas is 1, replicas 1",
            "min.insync.replicas=2");
  }

  @Test
  void aCompactedTopicWithoutMarkersIsWarnedOf() throws Exception {
    String compacted = SharedKafka.uniqueName("compacted");
    SharedKafka.cluster().createTopic(compacted, 1, Map.of("cleanup.policy", "compact"));
    assertThat(logged(Sinks.to(compacted, name)))
        .contains("Topic " + compacted + " is compacted", "setMarkerTopic");
    assertThat(logged(Sinks.to(compacted, name).setMarkerTopic(topic)))
        .doesNotContain("is compacted");
  }

  @Test
  void aMarkerTopicThatIsCompactedItselfIsRefused() {
    String compacted = SharedKafka.uniqueName("compacted");
    SharedKafka.cluster().createTopic(compacted, 1, Map.of("cleanup.policy", "compact"));
    assertThatThrownBy(() -> preflight(Sinks.to(topic, name).setMarkerTopic(compacted)))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("markerTopic is " + compacted + " (cleanup.policy is compact)");
  }

  /** Timeout less an interval of one second and a restart of sixty. */
  @Test
  void theToleratedOutageIsLoggedAndAShortOneWarnedOf() throws Exception {
    assertThat(logged(Sinks.to(topic, name).setTransactionTimeout(Duration.ofMinutes(10))))
        .contains("INFO", "Sink '" + name + "' tolerates an outage of PT8M59S");
    assertThat(logged(Sinks.to(topic, name).setTransactionTimeout(Duration.ofMinutes(5))))
        .contains(
            "WARN",
            "Sink '" + name + "' tolerates an outage of PT3M59S only",
            "setTransactionTimeout");
  }

  private String logged(TransactionalKafkaSink<String> sink) throws Exception {
    try (CapturedLog log = new CapturedLog("dev.twophase.kafka.internal.Preflight")) {
      preflight(sink);
      return log.text();
    }
  }

  @Test
  void aBrokerThatCannotDescribeTransactionsIsRefused() {
    assertThatThrownBy(
            () -> preflight(Sinks.withClients(Sinks.to(topic, name), new OfAnOldBroker())))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("the broker's version is too old")
        .hasMessageContaining("3.0 or newer");
  }

  /** As clients are where the broker is older than 3.0. */
  private record OfAnOldBroker() implements PassingClients {

    @Override
    public Admin admin(Properties properties) {
      Admin real = KafkaClients.real().admin(properties);
      return (Admin)
          Proxy.newProxyInstance(
              Admin.class.getClassLoader(),
              new Class<?>[] {Admin.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("describeTransactions")) {
                  throw new UnsupportedVersionException("The broker has no DescribeTransactions");
                }
                return method.invoke(real, arguments);
              });
    }
  }

  @Test
  void twoSinksOfOnePrefixInOneJobAreRefused() {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.enableCheckpointing(1_000);
    DataStream<String> records = environment.fromData("a", "b");
    records.sinkTo(Sinks.to(topic, name).buildSink()).uid("one");
    records.sinkTo(Sinks.to(topic, name).buildSink()).uid("two");
    assertThatThrownBy(environment::getStreamGraph)
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("Sink '" + name + "'")
        .hasMessageContaining("used by 2 sinks of this job");
  }
}
