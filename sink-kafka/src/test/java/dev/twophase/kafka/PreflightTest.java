package dev.twophase.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.kafka.Sinks.Instance;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** E3: what is refused before anything is written, with setting, value and remedy. */
class PreflightTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private final String topic = SharedKafka.newTopic(1);
  private final String name = SharedKafka.uniqueName("preflight");

  private void preflight(TransactionalKafkaSink<String> sink) throws Exception {
    try (Instance<?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      writer.connector.preflight(new Sinks.Preflight(name));
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
        .hasMessageContaining("Create it");
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
        .hasMessageContaining("batch.size is 16384")
        .hasMessageContaining("10000");
  }
}
