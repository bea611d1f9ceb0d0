package dev.twophase.kafka.internal.write;

import dev.twophase.WriteContext;
import dev.twophase.kafka.KafkaRecordMapper;
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

  private static final int LONGEST_NAME = 249;

  /** Names beyond so many are checked again. */
  private static final int MOST_KNOWN = 1_000;

  private final KafkaRecordMapper<IN> mapper;
  private final String sinkName;
  private final Counter bytesSent;
  private final Consumer<String> newTopic;
  private final Set<String> valid = new HashSet<>();
  private String last = "";

  /**
   * @param newTopic is given each topic before the first record that goes there
   */
  public RecordSender(
      KafkaRecordMapper<IN> mapper, String sinkName, Counter bytesSent, Consumer<String> newTopic) {
    this.mapper = mapper;
    this.sinkName = sinkName;
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
      if (!isValid(topic)) {
        throw new KafkaException(
            "Sink '"
                + sinkName
                + "' was given a record for topic '"
                + topic
                + "', which is not a valid name: let the topic selector or record mapper return one"
                + " of letters, digits, '.', '_' and '-', "
                + LONGEST_NAME
                + " of them at most");
      }
      if (valid.size() == MOST_KNOWN) {
        valid.clear();
      }
      valid.add(topic);
      newTopic.accept(topic);
    }
    last = topic;
  }

  private static boolean isValid(String topic) {
    return !topic.isEmpty()
        && topic.length() <= LONGEST_NAME
        && !topic.equals(".")
        && !topic.equals("..")
        && topic.chars().allMatch(RecordSender::isAllowed);
  }

  private static boolean isAllowed(int each) {
    return (each >= 'a' && each <= 'z')
        || (each >= 'A' && each <= 'Z')
        || (each >= '0' && each <= '9')
        || each == '.'
        || each == '_'
        || each == '-';
  }
}
