package dev.twophase.kafka;

import dev.twophase.WriteContext;
import java.io.Serializable;
import org.apache.flink.api.common.serialization.SerializationSchema.InitializationContext;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Turns a record of the job into one of Kafka, in full: for what the builder's setters cannot say.
 * Called by one thread, once per record, in order.
 *
 * @param <IN> type of the job's records
 */
@FunctionalInterface
public interface KafkaRecordMapper<IN> extends Serializable {

  /**
   * Maps one record. The hot path.
   *
   * @param context what Flink knows of the record; valid during the call only
   * @return null to skip the record; a value of null is a tombstone
   */
  @Nullable ProducerRecord<byte[], byte[]> map(IN record, WriteContext context);

  /**
   * Called once per subtask, before the first record.
   *
   * @throws Exception if it cannot be opened; fails the task
   */
  default void open(InitializationContext context, KafkaSinkContext sink) throws Exception {}

  /**
   * Called once per subtask, after the last record; also if it could not be opened.
   *
   * @throws Exception if it cannot be closed; is logged, and fails nothing
   */
  default void close() throws Exception {}
}
