package dev.twophase.benchmarks.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic of one round, deleted with it. */
final class FreshTopic implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;
  private static final long PAUSE_NANOS = 5_000_000;
  private static final int READ_AT_ONCE = 50_000;
  private static final int BYTES_AT_ONCE = 8 << 20;

  /** Of a job that lasts some seconds. */
  private static final long MOST_MARKERS = 1_000;

  private final String bootstrapServers;
  private final Admin admin;
  private final String name;
  private final List<TopicPartition> partitions = new ArrayList<>();

  FreshTopic(String bootstrapServers, int partitionCount) throws Exception {
    this.bootstrapServers = bootstrapServers;
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    this.name = "benchmark-" + UUID.randomUUID();
    for (int partition = 0; partition < partitionCount; partition++) {
      partitions.add(new TopicPartition(name, partition));
    }
    NewTopic wanted = new NewTopic(name, Optional.of(partitionCount), Optional.empty());
    admin.createTopics(List.of(wanted)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  String name() {
    return name;
  }

  /** Whether a read_committed consumer is held up by nothing. */
  boolean isSettled() throws Exception {
    for (TopicPartition partition : partitions) {
      if (end(partition, IsolationLevel.READ_COMMITTED)
          < end(partition, IsolationLevel.READ_UNCOMMITTED)) {
        return false;
      }
    }
    return true;
  }

  /** The last commit is decided before it is written to the partitions. */
  private void awaitSettled() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!isSettled()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("A transaction in " + name + " is not decided");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Sum of the offsets up to which a read_committed consumer may read. */
  long committedEnd() throws Exception {
    long sum = 0;
    for (TopicPartition partition : partitions) {
      sum += end(partition, IsolationLevel.READ_COMMITTED);
    }
    return sum;
  }

  private long end(TopicPartition partition, IsolationLevel level) throws Exception {
    return admin
        .listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(level))
        .partitionResult(partition)
        .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .offset();
  }

  /** Reads what is committed, and throws unless it is so many records. */
  void require(long expected) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "max.poll.records",
            READ_AT_ONCE,
            "max.partition.fetch.bytes",
            BYTES_AT_ONCE);
    long found = 0;
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream()
          .anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
        found += consumer.poll(Duration.ofMillis(100)).count();
      }
    }
    if (found != expected) {
      throw new IllegalStateException(
          found + " records are committed in " + name + " instead of " + expected);
    }
  }

  /**
   * Throws unless the ends of the partitions fit so many committed records: each transaction leaves
   * a marker in each partition besides.
   */
  void requireEnds(long expected) throws Exception {
    awaitSettled();
    long offsets = committedEnd();
    if (offsets < expected || offsets > expected + MOST_MARKERS) {
      throw new IllegalStateException(
          offsets + " offsets are committed in " + name + " for " + expected + " records");
    }
  }

  @Override
  public void close() throws Exception {
    try (admin) {
      admin.deleteTopics(List.of(name)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
