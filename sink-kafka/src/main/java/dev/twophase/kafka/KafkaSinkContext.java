package dev.twophase.kafka;

/** Where a subtask of the sink finds itself. Single-threaded, like what it is given to. */
public interface KafkaSinkContext {

  /** Index of this subtask, from 0. */
  int subtask();

  /** Number of subtasks of the sink. */
  int parallelism();

  /**
   * Partitions of a topic, ascending. Asked of the cluster once per topic and hour, then from
   * memory; the array must not be changed.
   *
   * @throws org.apache.kafka.common.KafkaException if the topic is not there
   */
  int[] partitions(String topic);
}
