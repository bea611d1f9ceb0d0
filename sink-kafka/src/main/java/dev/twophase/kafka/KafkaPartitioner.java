package dev.twophase.kafka;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the partition of a record. Without one, Kafka's own choice is used: by the key's hash,
 * or, without a key, whichever suits batching.
 *
 * @param <IN> type of the job's records
 */
@FunctionalInterface
public interface KafkaPartitioner<IN> extends Serializable {

  /**
   * Chooses one of the partitions. The hot path.
   *
   * @param partitions of the topic, ascending; not to be changed
   */
  int partition(
      IN record, byte @Nullable [] key, byte @Nullable [] value, String topic, int[] partitions);

  /** Called once per subtask, before the first record. */
  default void open(KafkaSinkContext sink) {}
}
