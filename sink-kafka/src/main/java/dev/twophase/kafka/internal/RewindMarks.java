package dev.twophase.kafka.internal;

import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.client.Coordinators;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * Which transaction each subtask committed last, kept as offsets of a consumer group that nobody
 * consumes with: each transaction writes its own, so a mark is visible exactly if its transaction
 * is (R6).
 */
final class RewindMarks {

  private RewindMarks() {}

  /** A committed transaction that began at or after the checkpoint. */
  static Optional<TransactionId> committedSince(
      Coordinators coordinators, String sinkName, long checkpointId) throws InterruptedException {
    Map<TopicPartition, @Nullable OffsetAndMetadata> marks;
    try {
      marks =
          Coordinators.await(
              coordinators
                  .admin()
                  .listConsumerGroupOffsets(KafkaSettings.group(sinkName))
                  .partitionsToOffsetAndMetadata());
    } catch (GroupIdNotFoundException nothingCommittedYet) {
      return Optional.empty();
    }
    for (OffsetAndMetadata mark : marks.values()) {
      if (mark != null && mark.offset() >= checkpointId) {
        Optional<TransactionId> id = TransactionId.parse(mark.metadata());
        if (id.isPresent() && id.get().sinkName().equals(sinkName)) {
          return id;
        }
      }
    }
    return Optional.empty();
  }
}
