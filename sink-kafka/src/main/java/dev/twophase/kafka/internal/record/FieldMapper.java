package dev.twophase.kafka.internal.record;

import dev.twophase.WriteContext;
import dev.twophase.kafka.KafkaHeaderProvider;
import dev.twophase.kafka.KafkaPartitioner;
import dev.twophase.kafka.KafkaRecordMapper;
import dev.twophase.kafka.KafkaSinkContext;
import java.util.Objects;
import org.apache.flink.api.common.serialization.SerializationSchema.InitializationContext;
import org.apache.flink.util.function.SerializableFunction;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Puts a record together from its parts. */
public final class FieldMapper<IN> implements KafkaRecordMapper<IN> {

  private static final long serialVersionUID = 1L;

  /**
   * The parts.
   *
   * @param key null for records without keys
   * @param timestamp null for the event time that Flink knows
   * @param partitioner null for Kafka's own choice
   */
  public record Parts<IN>(
      SerializableFunction<IN, String> topic,
      @Nullable FieldSerializer<IN> key,
      FieldSerializer<IN> value,
      @Nullable KafkaHeaderProvider<IN> headers,
      @Nullable SerializableFunction<IN, Long> timestamp,
      @Nullable KafkaPartitioner<IN> partitioner)
      implements java.io.Serializable {}

  private static final String NO_NULL_HEADERS =
      "setHeaderProvider: the provider returned null, or a null among the headers; return an empty"
          + " list where a record has none";

  private final Parts<IN> parts;
  private final boolean withHeaders;
  private transient @Nullable KafkaSinkContext sink;

  public FieldMapper(Parts<IN> parts) {
    this.parts = parts;
    this.withHeaders =
        parts.headers() != null
            || parts.value().usesHeaders()
            || (parts.key() != null && parts.key().usesHeaders());
  }

  @Override
  public void open(InitializationContext context, KafkaSinkContext opened) throws Exception {
    sink = opened;
    if (parts.key() != null) {
      parts.key().open(context);
    }
    parts.value().open(context);
    if (parts.partitioner() != null) {
      parts.partitioner().open(opened);
    }
  }

  @Override
  public void close() {
    try {
      if (parts.key() != null) {
        parts.key().close();
      }
    } finally {
      parts.value().close();
    }
  }

  @Override
  public ProducerRecord<byte[], byte[]> map(IN record, WriteContext context) {
    String topic =
        Objects.requireNonNull(
            parts.topic().apply(record), "setTopicSelector: the selector returned null");
    Headers headers = withHeaders ? headers(topic, record) : null;
    byte[] key = parts.key() == null ? null : parts.key().serialize(topic, headers, record);
    byte[] value = parts.value().serialize(topic, headers, record);
    return new ProducerRecord<>(
        topic,
        partition(record, key, value, topic),
        timestamp(record, context, topic),
        key,
        value,
        headers);
  }

  private Headers headers(String topic, IN record) {
    // The only public way to an empty Headers.
    Headers headers = new ProducerRecord<byte[], byte[]>(topic, null).headers();
    if (parts.headers() != null) {
      Iterable<Header> given =
          Objects.requireNonNull(parts.headers().headers(record), NO_NULL_HEADERS);
      for (Header header : given) {
        headers.add(Objects.requireNonNull(header, NO_NULL_HEADERS));
      }
    }
    return headers;
  }

  private @Nullable Integer partition(
      IN record, byte @Nullable [] key, byte @Nullable [] value, String topic) {
    if (parts.partitioner() == null) {
      return null;
    }
    int[] partitions = Objects.requireNonNull(sink, "not opened").partitions(topic);
    int chosen = parts.partitioner().partition(record, key, value, topic, partitions);
    // Kafka counts them from 0 without gaps.
    if (chosen < 0 || chosen >= partitions.length) {
      throw new IllegalArgumentException(
          "setPartitioner: the partitioner returned "
              + chosen
              + " for topic "
              + topic
              + ", which has "
              + partitions.length
              + " partitions; return one of those it is given, from 0 to "
              + (partitions.length - 1));
    }
    return chosen;
  }

  private @Nullable Long timestamp(IN record, WriteContext context, String topic) {
    if (parts.timestamp() == null) {
      Long eventTime = context.timestamp();
      // Kafka refuses negative ones; Flink's "no timestamp" is one.
      return eventTime == null || eventTime < 0 ? null : eventTime;
    }
    Long timestamp = parts.timestamp().apply(record);
    if (timestamp == null || timestamp == Long.MIN_VALUE) {
      return null;
    }
    if (timestamp < 0) {
      throw new IllegalArgumentException(
          "setTimestamp: the timestamp of a record for topic "
              + topic
              + " is "
              + timestamp
              + ", and Kafka has none before 1970; return milliseconds from 0 on, or null for the"
              + " time of writing");
    }
    return timestamp;
  }
}
