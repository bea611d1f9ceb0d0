package dev.twophase.kafka.internal.commit;

import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.KafkaSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TimeoutException;
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

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 5;

  /**
   * A committed transaction that began at or after the checkpoint, of a former subtask that maps to
   * this one at the present parallelism.
   *
   * @throws TimeoutException if that cannot be told at present
   */
  public static Optional<TransactionId> committedSince(
      Coordinators coordinators, ConnectorContext context, long checkpointId)
      throws InterruptedException {
    return committedSince(coordinators, context, checkpointId, id -> true);
  }

  /** Likewise, of another attempt than that one. */
  static Optional<TransactionId> committedByAnother(
      Coordinators coordinators, ConnectorContext context, long checkpointId, UUID attempt)
      throws InterruptedException {
    return committedSince(coordinators, context, checkpointId, id -> !id.nonce().equals(attempt));
  }

  private static Optional<TransactionId> committedSince(
      Coordinators coordinators,
      ConnectorContext context,
      long checkpointId,
      Predicate<TransactionId> wanted)
      throws InterruptedException {
    // A commit is decided some milliseconds before its mark can be read.
    Optional<ExternalId> decided = awaitWritten(coordinators, context, PATIENCE);
    Optional<TransactionId> proof = proof(coordinators, context, checkpointId, wanted);
    if (proof.isEmpty() && decided.isPresent()) {
      throw new TimeoutException(
          "The commit of "
              + decided.get()
              + " is decided, but its coordinator has not yet written it to all partitions, so"
              + " that nobody can tell yet whether this job was taken back behind it (R6). Check"
              + " that all partitions of its topics and of __consumer_offsets have a leader");
    }
    return proof;
  }

  /**
   * Waits until no transaction of those former subtasks is decided and still to be written to its
   * partitions, without more requests than that takes: the brokers are busy writing.
   *
   * @return one that is not written after that time
   */
  public static Optional<ExternalId> awaitWritten(
      Coordinators coordinators, ConnectorContext context, Duration patience)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      Optional<ExternalId> decided = decided(coordinators, context);
      if (decided.isEmpty() || System.nanoTime() - deadline >= 0) {
        return decided;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static Optional<TransactionId> proof(
      Coordinators coordinators,
      ConnectorContext context,
      long checkpointId,
      Predicate<TransactionId> wanted)
      throws InterruptedException {
    Map<String, ListConsumerGroupOffsetsSpec> groups = new HashMap<>();
    for (int subtask = context.subtask(); ; subtask += context.parallelism()) {
      groups.put(
          KafkaSettings.group(context.sinkName(), subtask), new ListConsumerGroupOffsetsSpec());
      if (subtask + context.parallelism() >= MOST_SUBTASKS) {
        break;
      }
    }
    ListConsumerGroupOffsetsResult asked = ask(coordinators, groups);
    for (String group : groups.keySet()) {
      Optional<TransactionId> found =
          proof(marks(asked, group).values(), context.sinkName(), checkpointId, wanted);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<ExternalId> decided(Coordinators coordinators, ConnectorContext context)
      throws InterruptedException {
    return coordinators
        .idsSoon(ExternalId.pattern(context.sinkName()), TransactionState.PREPARE_COMMIT)
        .stream()
        .flatMap(text -> ExternalId.parse(text).stream())
        .filter(id -> id.sinkName().equals(context.sinkName()))
        .filter(id -> id.subtask() % context.parallelism() == context.subtask())
        .findFirst();
  }

  /**
   * Marks of several subtasks, asked for at once.
   *
   * @param asked being answered
   */
  record Latest(ListConsumerGroupOffsetsResult asked) {

    /**
     * A committed transaction of the same subtask that another attempt has begun at that checkpoint
     * or after it: what was written since then was written again by that attempt.
     */
    Optional<TransactionId> committedByAnother(ExternalId ours, long since)
        throws InterruptedException {
      try {
        return proof(
            marks(asked, group(ours)).values(),
            ours.sinkName(),
            since,
            id -> !id.nonce().equals(ours.nonce()));
      } catch (GroupAuthorizationException ofAFormerName) {
        return Optional.empty();
      }
    }
  }

  /**
   * Asks for the marks of the subtasks of these transactions, and does not wait. The answer comes
   * in some seconds, or fails: whoever commits has to tell what it waits for.
   */
  static Latest latest(Coordinators coordinators, Collection<ExternalId> ids) {
    Map<String, ListConsumerGroupOffsetsSpec> groups = new HashMap<>();
    ids.forEach(id -> groups.put(group(id), new ListConsumerGroupOffsetsSpec()));
    return new Latest(ask(coordinators, groups));
  }

  private static ListConsumerGroupOffsetsResult ask(
      Coordinators coordinators, Map<String, ListConsumerGroupOffsetsSpec> groups) {
    return coordinators
        .admin()
        .listConsumerGroupOffsets(
            groups,
            new ListConsumerGroupOffsetsOptions().timeoutMs(coordinators.answerTimeoutMillis()));
  }

  private static String group(ExternalId id) {
    return KafkaSettings.group(id.sinkName(), id.subtask());
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
      Collection<@Nullable OffsetAndMetadata> marks,
      String sinkName,
      long checkpointId,
      Predicate<TransactionId> wanted) {
    return newest(marks, sinkName).stream()
        .filter(mark -> mark.since() >= checkpointId && wanted.test(mark.id()))
        .map(Mark::id)
        .findFirst();
  }

  /**
   * A mark is kept per topic, and one that nothing is written to any more keeps the mark of an
   * attempt long gone. After a start without state that was accepted its number is higher than all
   * that follow: only the newest attempt's marks count.
   */
  private static List<Mark> newest(Collection<@Nullable OffsetAndMetadata> marks, String sinkName) {
    List<Mark> all =
        marks.stream()
            .filter(Objects::nonNull)
            .flatMap(each -> Mark.parse(each).stream())
            .filter(each -> each.id().sinkName().equals(sinkName))
            .toList();
    long newest = all.stream().mapToLong(Mark::generation).max().orElse(0);
    return all.stream().filter(each -> each.generation() == newest).toList();
  }

  /**
   * @param since as written in the offset; that of the id
   * @param generation counts the attempts of a subtask that have committed something
   */
  private record Mark(TransactionId id, long since, long generation) {

    static Optional<Mark> parse(OffsetAndMetadata mark) {
      String[] parts = mark.metadata().split(" ", -1);
      try {
        long generation = parts.length < 2 ? 0 : Long.parseLong(parts[1]);
        return TransactionId.parse(parts[0]).map(id -> new Mark(id, mark.offset(), generation));
      } catch (NumberFormatException foreign) {
        return Optional.empty();
      }
    }
  }

  /** A transaction's mark. */
  public static OffsetAndMetadata mark(TransactionId id, long generation) {
    return new OffsetAndMetadata(id.since(), id + " " + generation);
  }

  /** What an attempt writes into its marks: one more than those that it finds. */
  public static long nextGeneration(Coordinators coordinators, String sinkName, int subtask)
      throws InterruptedException {
    String group = KafkaSettings.group(sinkName, subtask);
    ListConsumerGroupOffsetsResult asked =
        coordinators
            .admin()
            .listConsumerGroupOffsets(Map.of(group, new ListConsumerGroupOffsetsSpec()));
    return 1
        + newest(marks(asked, group).values(), sinkName).stream()
            .findFirst()
            .map(Mark::generation)
            .orElse(0L);
  }
}
