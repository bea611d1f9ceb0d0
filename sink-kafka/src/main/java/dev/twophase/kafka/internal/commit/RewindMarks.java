package dev.twophase.kafka.internal.commit;

import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.KafkaSettings;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * Which transaction each subtask committed last, kept as the offset of a consumer group that nobody
 * consumes with: each transaction writes its own, so a mark is visible exactly if its transaction
 * is (R6).
 */
public final class RewindMarks {

  private RewindMarks() {}

  /** Former subtasks beyond this one are not asked about. */
  private static final int MOST_SUBTASKS = 256;

  /**
   * A committed transaction that began at or after the checkpoint, of a former subtask that maps to
   * this one at the present parallelism.
   */
  public static Optional<TransactionId> committedSince(
      Coordinators coordinators, ConnectorContext context, long checkpointId)
      throws InterruptedException {
    Map<String, ListConsumerGroupOffsetsSpec> groups = new HashMap<>();
    for (int subtask = context.subtask(); ; subtask += context.parallelism()) {
      groups.put(
          KafkaSettings.group(context.sinkName(), subtask), new ListConsumerGroupOffsetsSpec());
      if (subtask + context.parallelism() >= MOST_SUBTASKS) {
        break;
      }
    }
    ListConsumerGroupOffsetsResult asked = coordinators.admin().listConsumerGroupOffsets(groups);
    for (String group : groups.keySet()) {
      Optional<TransactionId> found =
          proof(marks(asked, group).values(), context.sinkName(), checkpointId);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /**
   * A committed transaction of the same subtask that another attempt has begun at that checkpoint
   * or after it: what was written since then was written again by that attempt.
   */
  public static Optional<TransactionId> committedByAnother(
      Coordinators coordinators, ExternalId ours, long since) throws InterruptedException {
    String group = KafkaSettings.group(ours.sinkName(), ours.subtask());
    ListConsumerGroupOffsetsResult asked =
        coordinators
            .admin()
            .listConsumerGroupOffsets(Map.of(group, new ListConsumerGroupOffsetsSpec()));
    UUID nonce = ours.nonce();
    return proof(marks(asked, group).values(), ours.sinkName(), since)
        .filter(id -> !id.nonce().equals(nonce));
  }

  private static Map<TopicPartition, @Nullable OffsetAndMetadata> marks(
      ListConsumerGroupOffsetsResult asked, String group) throws InterruptedException {
    try {
      return Coordinators.await(asked.partitionsToOffsetAndMetadata(group));
    } catch (GroupIdNotFoundException nothingCommittedYet) {
      return Map.of();
    }
  }

  private static Optional<TransactionId> proof(
      Collection<@Nullable OffsetAndMetadata> marks, String sinkName, long checkpointId) {
    for (OffsetAndMetadata mark : marks) {
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
