package dev.twophase.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.connector.DrivenConnector;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What records become, and what cannot become one. */
class WriteTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private final String topic = SharedKafka.newTopic(3);
  private final String name = SharedKafka.uniqueName("write");

  private void writeAndCommit(TransactionalKafkaSink<String> sink, String... records)
      throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      writer.commitLive(writer.prepare(0, records));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aRecordHasTheKeyHeadersTimestampAndPartitionItWasGiven() throws Exception {
    writeAndCommit(
        Sinks.to(topic, name)
            .setKeySerializer(record -> bytes("key of " + record))
            .setHeaderProvider(record -> List.of(new RecordHeader("about", bytes(record))))
            .setTimestamp(record -> 1_234L)
            .setPartitioner(
                (record, key, value, toTopic, partitions) -> partitions[partitions.length - 1]),
        "a");

    assertThat(SharedKafka.committedRecords(topic))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.key()).isEqualTo("key of a");
              assertThat(record.value()).isEqualTo("a");
              assertThat(record.timestamp()).isEqualTo(1_234);
              assertThat(record.partition()).isEqualTo(2);
              assertThat(record.headers().lastHeader("about").value()).isEqualTo(bytes("a"));
            });
  }

  @Test
  void aHeaderProviderThatReturnsNullIsToldSo() {
    assertThatThrownBy(
            () -> writeAndCommit(Sinks.to(topic, name).setHeaderProvider(record -> null), "a"))
        .hasMessageContaining("setHeaderProvider")
        .hasMessageContaining("empty list");
  }

  /** The second of two records is what cannot be written. */
  private void assertToldAndNothingPrepared(TransactionalKafkaSink<String> sink, String... says)
      throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      assertThatThrownBy(() -> writer.prepare(0, "right", "wrong"))
          .isInstanceOf(KafkaException.class)
          .hasMessageContaining("Sink '" + name + "'")
          .hasMessageContainingAll(says);
    }
    assertThat(SharedKafka.committed(topic)).isEmpty();
  }

  @Test
  void W3_aTimestampThatKafkaCannotExpressIsTold() throws Exception {
    assertToldAndNothingPrepared(
        Sinks.to(topic, name).setTimestamp(record -> record.equals("wrong") ? -5L : 1L),
        "setTimestamp",
        "topic " + topic,
        "is -5",
        "null for the time of writing");
  }

  @Test
  void aRecordWithoutATimestampHasTheTimeOfWriting() throws Exception {
    long before = System.currentTimeMillis();
    writeAndCommit(
        Sinks.to(topic, name)
            .setTimestamp(record -> record.equals("null") ? null : (Long) Long.MIN_VALUE),
        "null",
        "none");
    assertThat(SharedKafka.committedRecords(topic))
        .hasSize(2)
        .allMatch(record -> record.timestamp() >= before);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3})
  void W3_aPartitionThatTheTopicDoesNotHaveIsTold(int partition) throws Exception {
    assertToldAndNothingPrepared(
        Sinks.to(topic, name)
            .setPartitioner(
                (record, key, value, to, partitions) -> record.equals("wrong") ? partition : 0),
        "setPartitioner",
        "returned " + partition,
        "topic " + topic,
        "from 0 to 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "no spaces", "umläut", "a/b"})
  void W3_aTopicThatCannotBeOneIsTold(String wrong) throws Exception {
    String right = topic;
    assertToldAndNothingPrepared(
        Sinks.named(name)
            .setTopicSelector(record -> record.equals("wrong") ? wrong : right)
            .setValueSerializer(new SimpleStringSchema()),
        "topic '" + wrong + "'",
        "topic selector",
        "letters, digits");
  }

  @Test
  void W3_aTopicSelectorThatReturnsNullIsTold() throws Exception {
    String right = topic;
    assertToldAndNothingPrepared(
        Sinks.named(name)
            .setTopicSelector(record -> record.equals("wrong") ? null : right)
            .setValueSerializer(new SimpleStringSchema()),
        "setTopicSelector",
        "null");
  }

  @Test
  void kafkasOwnSerializersAreConfigured() throws Exception {
    writeAndCommit(
        Sinks.to(topic, name)
            .setKeySerializer(StringSerializer.class, Map.of("key.serializer.encoding", "UTF-16BE"))
            .setValueSerializer(StringSerializer.class),
        "a");

    assertThat(SharedKafka.committedRecords(topic))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.key()).isEqualTo("\0a");
              assertThat(record.value()).isEqualTo("a");
            });
  }

  @Test
  void recordsChooseTheirTopic() throws Exception {
    String other = SharedKafka.newTopic(3);
    writeAndCommit(
        Sinks.named(name)
            .setTopicSelector(TopicOfRecord.of(topic, other))
            .setValueSerializer(new SimpleStringSchema()),
        "here",
        "there");

    assertThat(SharedKafka.committed(topic)).containsExactly("here");
    assertThat(SharedKafka.committed(other)).containsExactly("there");
  }

  private static final class TopicOfRecord {
    static org.apache.flink.util.function.SerializableFunction<String, String> of(
        String here, String there) {
      return record -> record.equals("here") ? here : there;
    }
  }

  @Test
  void aNullValueIsATombstoneAndANullRecordIsSkipped() throws Exception {
    writeAndCommit(
        Sinks.to(topic, name)
            .setKeySerializer(new SimpleStringSchema())
            .setValueSerializer(record -> record.equals("gone") ? null : bytes(record)),
        "gone",
        null,
        "here");

    assertThat(SharedKafka.committedRecords(topic))
        .extracting(ConsumerRecord::value)
        .containsExactlyInAnyOrder(null, "here");
  }

  @Test
  void W5_aTransactionWhoseRecordsWereAllSkippedIsEmptyAndItsProducerGoesOn() throws Exception {
    String to = topic;
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(
            Sinks.named(name)
                .setRecordMapper(
                    (record, context) ->
                        record.isEmpty() ? null : new ProducerRecord<>(to, bytes(record)))
                .buildConnector(),
            name)) {
      assertThat(prepareOne(writer, 0, "")).isFalse();
      assertThat(prepareOne(writer, 1, "")).isFalse();
      writer.commitLive(writer.prepare(2, "a"));
    }
    assertThat(SharedKafka.committed(topic)).containsExactly("a");
    assertThat(SharedKafka.ids(name)).hasSize(1);
  }

  private static <T> boolean prepareOne(
      DrivenConnector<String, T, ?> writer, long since, String record) throws Exception {
    return writer.preCommit(since, writer.begin(since, record)).isPresent();
  }

  @Test
  void W3_aRecordThatTheBrokerRefusesKeepsItsTransactionFromBeingPrepared() throws Exception {
    String small = SharedKafka.uniqueName("small");
    SharedKafka.cluster().createTopic(small, 1, Map.of("max.message.bytes", "100"));
    TransactionalKafkaSink<String> sink = Sinks.to(small, name).setProperty("batch.size", "1");
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      assertThatThrownBy(() -> writer.prepare(0, "a", "b".repeat(1_000)))
          .isInstanceOf(KafkaException.class)
          .hasMessageContaining(name)
          .hasMessageContaining("max.message.bytes");
    }
    assertThat(SharedKafka.committed(small)).isEmpty();
  }

  @Test
  void bytesOfKeysAndValuesAreCounted() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(
            Sinks.to(topic, name).setKeySerializer(record -> bytes("k")).buildConnector(), name)) {
      writer.commitLive(writer.prepare(0, "1234", "567"));
      assertThat(writer.bytesSent()).isEqualTo(9);
    }
  }
}
