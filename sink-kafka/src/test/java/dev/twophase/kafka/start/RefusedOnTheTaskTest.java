package dev.twophase.kafka.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Opening;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only a task can tell, and tells without a broker. */
class RefusedOnTheTaskTest {

  private static TransactionalKafkaSink<String> sink() {
    return TransactionalKafkaSink.<String>builder()
        .setBootstrapServers("127.0.0.1:1")
        .setTransactionalIdPrefix("orders")
        .setValueSerializer(new SimpleStringSchema());
  }

  /** Without transactions its producer is there at once. */
  private static DrivenConnector<String, ?, ?> open(TransactionalKafkaSink<String> sink)
      throws Exception {
    return DrivenConnector.open(
        sink.buildConnector(),
        Opening.writer("orders").withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE));
  }

  private static String stackTrace(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** Kafka's own text quotes what stands where the login should go on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\""
            + " password=\"abc\"hunter2\";",
        "org.apache.kafka.common.security.plain.PlainLoginModule hunter2 username=\"u\";",
        "org.apache.kafka.common.security.plain.PlainLoginModule required a=\"b\" 12hunter2;",
        "hunter2 required username=\"u\" password=\"abc\";",
        "hunter2"
      })
  void S2_aLoginThatCannotBeReadIsNamedAndNotShown(String login) {
    TransactionalKafkaSink<String> sink =
        sink()
            .setTopic("orders")
            .setProperty("security.protocol", "SASL_PLAINTEXT")
            .setProperty("sasl.mechanism", "PLAIN")
            .setProperty("sasl.jaas.config", login);
    assertThatThrownBy(() -> open(sink).close())
        .isInstanceOf(KafkaException.class)
        .hasMessageContainingAll("Sink 'orders'", "sasl.jaas.config", "setProperty")
        .satisfies(error -> assertThat(stackTrace(error)).doesNotContain("hunter2"));
  }

  @ParameterizedTest
  @CsvSource({
    "partitioner.class, no.such.Partitioner",
    "partitioner.class, java.lang.String",
    "interceptor.classes, no.such.Interceptor",
    "metric.reporters, no.such.Reporter"
  })
  void E3_aClassThatIsNoPlugInIsToldWithSinkAndSetting(String property, String type) {
    TransactionalKafkaSink<String> sink =
        sink()
            .setTopic("orders")
            .setProperty("ssl.key.password", "hunter2")
            .setProperty(property, type);
    assertThatThrownBy(() -> open(sink).close())
        .isInstanceOf(KafkaException.class)
        .hasMessageContainingAll("Sink 'orders'", type, "setProperty as " + property);
  }

  @Test
  void W3_aRecordForTheMarkerTopicOrForOneOfKafkasOwnIsTold() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().setTopicSelector(record -> record).setMarkerTopic("marks"))) {
      assertThatThrownBy(() -> writer.prepare(0, "marks"))
          .isInstanceOf(KafkaException.class)
          .hasMessageContainingAll("Sink 'orders'", "'marks'", "setMarkerTopic");
      assertThatThrownBy(() -> writer.prepare(0, "__consumer_offsets"))
          .isInstanceOf(KafkaException.class)
          .hasMessageContainingAll("Sink 'orders'", "__consumer_offsets", "Kafka's own");
    }
  }

  @Test
  void E3_aSerializerThatRefusesItsConfigurationIsToldByItsSetter() {
    TransactionalKafkaSink<String> sink =
        sink()
            .setTopic("orders")
            .setKeySerializer(StringSerializer.class, Map.of("serializer.encoding", "nonsense"));
    assertThatThrownBy(() -> open(sink).close())
        .hasMessageContainingAll("setKeySerializer", "StringSerializer", "nonsense");
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // as callers do to whom generics are in the way
  void W3_aSerializerForAnotherTypeIsToldByItsSetter() throws Exception {
    TransactionalKafkaSink<String> sink =
        sink().setTopic("orders").setValueSerializer((Class) LongSerializer.class);
    try (DrivenConnector<String, ?, ?> writer = open(sink)) {
      assertThatThrownBy(() -> writer.prepare(0, "a"))
          .isInstanceOf(KafkaException.class)
          .hasMessageContainingAll(
              "Sink 'orders'", "setValueSerializer", "LongSerializer", "String");
    }
  }

  @Test
  void kafkasSerializersAreClosedWithTheWriterThoughOneOfThemFails() throws Exception {
    TransactionalKafkaSink<String> sink =
        sink().setTopic("orders").setKeySerializer(Closing.class).setValueSerializer(Closing.class);
    Closing.closed.set(0);
    DrivenConnector<String, ?, ?> writer = open(sink);
    assertThat(Closing.closed).hasValue(0);
    writer.close();
    assertThat(Closing.closed).hasValue(2);
  }

  /** Public, as Kafka's own are. */
  public static final class Closing extends StringSerializer {

    static final AtomicInteger closed = new AtomicInteger();

    @Override
    public void close() {
      closed.incrementAndGet();
      throw new IllegalStateException("cannot be closed");
    }
  }
}
