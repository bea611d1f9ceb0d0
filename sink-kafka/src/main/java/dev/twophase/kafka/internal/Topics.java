package dev.twophase.kafka.internal;

import dev.twophase.kafka.KafkaSinkContext;
import dev.twophase.kafka.internal.client.Coordinators;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.InterruptException;

/** Remembers the partitions of topics for an hour. */
final class Topics implements KafkaSinkContext {

  private static final long MAX_AGE_NANOS = Duration.ofHours(1).toNanos();

  private static final class Known {
    final int[] partitions;
    final long since = System.nanoTime();

    Known(int[] partitions) {
      this.partitions = partitions;
    }
  }

  private final int subtask;
  private final int parallelism;
  private final Coordinators coordinators;
  private final Map<String, Known> known = new HashMap<>();

  Topics(int subtask, int parallelism, Coordinators coordinators) {
    this.subtask = subtask;
    this.parallelism = parallelism;
    this.coordinators = coordinators;
  }

  @Override
  public int subtask() {
    return subtask;
  }

  @Override
  public int parallelism() {
    return parallelism;
  }

  @Override
  public int[] partitions(String topic) {
    Known cached = known.get(topic);
    if (cached == null || System.nanoTime() - cached.since > MAX_AGE_NANOS) {
      cached = new Known(ask(topic));
      known.put(topic, cached);
    }
    return cached.partitions;
  }

  private int[] ask(String topic) {
    try {
      TopicDescription description =
          Objects.requireNonNull(
              Coordinators.await(
                      coordinators.admin().describeTopics(List.of(topic)).allTopicNames())
                  .get(topic));
      return description.partitions().stream()
          .mapToInt(TopicPartitionInfo::partition)
          .sorted()
          .toArray();
    } catch (InterruptedException interrupted) {
      throw new InterruptException(interrupted);
    }
  }
}
