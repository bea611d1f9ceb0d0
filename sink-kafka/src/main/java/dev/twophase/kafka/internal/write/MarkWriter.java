package dev.twophase.kafka.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.KafkaSettings;
import dev.twophase.kafka.internal.commit.ExternalId;
import dev.twophase.kafka.internal.commit.Line;
import dev.twophase.kafka.internal.commit.RewindMarks;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Writes each transaction's mark (R6) in a thread of its own, while the task writes records: the
 * producer waits for the answer, and the first time for the group's coordinator. The mark becomes
 * visible with the transaction, so that it proves later that this was committed, wherever between
 * the first record and the last it was written.
 */
final class MarkWriter implements AutoCloseable {

  private final KafkaSettings<?> settings;
  private final Coordinators coordinators;
  private final ExternalId first;
  private final String groupId;
  private final ExecutorService thread;
  private volatile Line line = Line.FIRST;

  // Touched by that thread alone.
  private @Nullable ConsumerGroupMetadata group;
  private long generation;

  MarkWriter(KafkaSettings<?> settings, Coordinators coordinators, ExternalId first) {
    this.settings = settings;
    this.coordinators = coordinators;
    this.first = first;
    this.groupId = KafkaSettings.group(first.sinkName(), first.subtask());
    this.thread = Executors.newSingleThreadExecutor(new DaemonThread(groupId + "-marks"));
  }

  /**
   * Learns beforehand what the first mark needs. What fails here fails there again, and is told.
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  void warmUp() {
    thread.submit(this::group);
  }

  /**
   * Begins to write the mark of a transaction, into the partition that stands for a topic.
   *
   * @return completes when it is written
   */
  Future<?> write(Producer<byte[], byte[]> producer, TransactionId id, String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    return thread.submit(
        () -> {
          producer.sendOffsetsToTransaction(
              Map.of(partition, RewindMarks.mark(id, generation(), line)), group());
          return null;
        });
  }

  /**
   * Waits until a mark is written.
   *
   * @throws KafkaException if it could not be
   */
  static void await(Future<?> mark) throws InterruptedException {
    try {
      mark.get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof KafkaException cause
          ? cause
          : new KafkaException(failed.getCause());
    }
  }

  /** Tells what the marks say of the history that they belong to. */
  void inLine(Line known) {
    line = known;
  }

  private long generation() throws InterruptedException {
    if (generation == 0) {
      generation = RewindMarks.nextGeneration(coordinators, first.sinkName(), first.subtask());
    }
    return generation;
  }

  /** A consumer that never consumes is the only public way to the metadata of a group. */
  private ConsumerGroupMetadata group() {
    ConsumerGroupMetadata known = group;
    if (known == null) {
      try (Consumer<byte[], byte[]> consumer =
          settings.clients().consumer(settings.properties().groupConsumer(groupId))) {
        known = consumer.groupMetadata();
      }
      group = known;
    }
    return known;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
