package dev.twophase.kafka.internal.write;

import dev.twophase.WriteContext;
import dev.twophase.kafka.KafkaRecordMapper;
import dev.twophase.kafka.internal.record.TopicName;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Sends what the job author's code makes of a record. What that throws is told with the sink's
 * name, and a topic that cannot be one is told at once, where a producer would say so later and
 * without a remedy. One thread.
 */
public final class RecordSender<IN> {

  /** Names beyond so many are checked again. */
  private static final int MOST_KNOWN = 1_000;

  private final KafkaRecordMapper<IN> mapper;
  private final String sinkName;
  private final @Nullable String markerTopic;
  private final Counter bytesSent;
  private final Consumer<String> newTopic;
  private final Set<String> valid = new HashSet<>();
  private String last = "";

  /**
   * @param markerTopic to which no record may go; null if there is none
   * @param newTopic is given each topic before the first record that goes there
   */
  public RecordSender(
      KafkaRecordMapper<IN> mapper,
      String sinkName,
      @Nullable String markerTopic,
      Counter bytesSent,
      Consumer<String> newTopic) {
    this.mapper = mapper;
    this.sinkName = sinkName;
    this.markerTopic = markerTopic;
    this.bytesSent = bytesSent;
    this.newTopic = newTopic;
  }

  /**
   * Maps one record, and sends it unless it is skipped. The hot path.
   *
   * @throws KafkaException if it would never be a record of Kafka, or an earlier one has failed
   */
  void send(KafkaTransaction transaction, IN record, WriteContext context) {
    ProducerRecord<byte[], byte[]> mapped = map(record, context);
    if (mapped != null) {
      if (!last.equals(mapped.topic())) {
        check(mapped.topic());
      }
      transaction.send(mapped);
      bytesSent.inc(Sizes.of(mapped));
    }
  }

  private @Nullable ProducerRecord<byte[], byte[]> map(IN record, WriteContext context) {
    try {
      return mapper.map(record, context);
    } catch (RuntimeException error) {
      throw new KafkaException(
          "Sink '" + sinkName + "' cannot make a record of Kafka: " + reason(error), error);
    }
  }

  private static String reason(RuntimeException error) {
    return error.getMessage() == null ? error.toString() : error.getMessage();
  }

  private void check(String topic) {
    if (!valid.contains(topic)) {
      String wrong = wrong(topic);
      if (wrong != null) {
        throw new KafkaException(
            "Sink '" + sinkName + "' was given a record for topic '" + topic + "', which " + wrong);
      }
      if (valid.size() == MOST_KNOWN) {
        valid.clear();
      }
      valid.add(topic);
      newTopic.accept(topic);
    }
    last = topic;
  }

  private @Nullable String wrong(String topic) {
    if (!TopicName.isValid(topic)) {
      return "is not a valid name: let the topic selector or record mapper return one"
          + " of letters, digits, '.', '_' and '-', "
          + TopicName.LONGEST
          + " of them at most";
    } else if (TopicName.isInternal(topic)) {
      return "is Kafka's own: let the topic selector or record mapper return one of yours";
    } else if (topic.equals(markerTopic)) {
      return "is the marker topic, where the sink writes records of its own: name another with"
          + " setMarkerTopic";
    }
    return null;
  }
}
