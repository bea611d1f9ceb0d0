package dev.twophase.kafka.internal.commit;

import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.KafkaSettings;
import dev.twophase.kafka.internal.commit.KafkaHandle.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
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
   * What was committed by the former subtasks that map to this one at the present parallelism.
   *
   * @param all by those that map to others as well
   * @param proves looks for what is wanted in it
   * @throws TimeoutException if that cannot be told at present
   */
  static <P> Optional<P> committed(
      Coordinators coordinators,
      ConnectorContext context,
      boolean all,
      Function<List<Mark>, Optional<P>> proves)
      throws InterruptedException {
    // A commit is decided some milliseconds before its mark can be read.
    Optional<ExternalId> decided = awaitWritten(coordinators, context, PATIENCE);
    Optional<P> proof = proves.apply(marks(coordinators, context, all));
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

  /** A transaction that was committed in place of what is there, by another attempt. */
  static Optional<TransactionId> committedByAnother(
      Coordinators coordinators, ConnectorContext context, Place place, UUID attempt)
      throws InterruptedException {
    return committed(coordinators, context, false, marks -> byAnother(marks, place, attempt));
  }

  private static Optional<TransactionId> byAnother(List<Mark> marks, Place place, UUID attempt) {
    return marks.stream()
        .filter(mark -> !mark.id().nonce().equals(attempt))
        .filter(mark -> mark.replaces(place.line(), place.since(), place.begun() + 1))
        .map(Mark::id)
        .findFirst();
  }

  private static List<Mark> marks(Coordinators coordinators, ConnectorContext context, boolean all)
      throws InterruptedException {
    int step = all ? 1 : context.parallelism();
    Map<String, ListConsumerGroupOffsetsSpec> groups = new HashMap<>();
    for (int subtask = all ? 0 : context.subtask(); ; subtask += step) {
      groups.put(
          KafkaSettings.group(context.sinkName(), subtask), new ListConsumerGroupOffsetsSpec());
      if (subtask + step >= Math.max(MOST_SUBTASKS, all ? context.parallelism() : 0)) {
        break;
      }
    }
    ListConsumerGroupOffsetsResult asked = ask(coordinators, groups);
    List<Mark> found = new ArrayList<>();
    for (String group : groups.keySet()) {
      found.addAll(newest(marks(asked, group).values(), context.sinkName()));
    }
    return found;
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

  /** Marks of several subtasks, asked for at once. Not thread-safe. */
  static final class Latest {

    private final ListConsumerGroupOffsetsResult asked;
    private final int subtasks;

    /** What was read of the answer: a thousand transactions ask for the marks of few groups. */
    private final Map<String, List<Mark>> read = new HashMap<>();

    /**
     * @param asked being answered
     * @param subtasks the first ones, which were all asked about
     */
    private Latest(ListConsumerGroupOffsetsResult asked, int subtasks) {
      this.asked = asked;
      this.subtasks = subtasks;
    }

    /**
     * A committed transaction of the same subtask that another attempt has begun since then: what
     * was written was written again by that attempt.
     */
    Optional<TransactionId> committedByAnother(ExternalId ours, Place place)
        throws InterruptedException {
      return byAnother(marks(ours, ours.subtask()), place, ours.nonce());
    }

    /** A committed transaction of a line that has left ours behind, of whatever subtask. */
    Optional<TransactionId> leftBehindBy(ExternalId ours, Place place) throws InterruptedException {
      for (int subtask = 0; subtask < subtasks; subtask++) {
        for (Mark mark : marks(ours, subtask)) {
          if (mark.hasLeftBehind(place.line(), place.begun() + 1)) {
            return Optional.of(mark.id());
          }
        }
      }
      return Optional.empty();
    }

    private List<Mark> marks(ExternalId ours, int subtask) throws InterruptedException {
      String group = KafkaSettings.group(ours.sinkName(), subtask);
      List<Mark> marks = read.get(group);
      if (marks == null) {
        marks = answered(group, ours.sinkName());
        read.put(group, marks);
      }
      return marks;
    }

    private List<Mark> answered(String group, String sinkName) throws InterruptedException {
      try {
        return newest(RewindMarks.marks(asked, group).values(), sinkName);
      } catch (GroupAuthorizationException ofAFormerName) {
        return List.of();
      }
    }
  }

  /**
   * Asks for the marks of the subtasks of these transactions, and does not wait. The answer comes
   * in some seconds, or fails: whoever commits has to tell what it waits for.
   *
   * @param subtasks of which the first ones are asked about besides; those of a line that took the
   *     place of ours are among them, unless it has more
   */
  static Latest latest(Coordinators coordinators, Collection<ExternalId> ids, int subtasks) {
    Map<String, ListConsumerGroupOffsetsSpec> groups = new HashMap<>();
    Set<String> sinkNames = new HashSet<>();
    for (ExternalId id : ids) {
      sinkNames.add(id.sinkName());
      groups.put(
          KafkaSettings.group(id.sinkName(), id.subtask()), new ListConsumerGroupOffsetsSpec());
    }
    for (String sinkName : sinkNames) {
      for (int subtask = 0; subtask < subtasks; subtask++) {
        groups.put(KafkaSettings.group(sinkName, subtask), new ListConsumerGroupOffsetsSpec());
      }
    }
    return new Latest(ask(coordinators, groups), subtasks);
  }

  private static ListConsumerGroupOffsetsResult ask(
      Coordinators coordinators, Map<String, ListConsumerGroupOffsetsSpec> groups) {
    return coordinators
        .admin()
        .listConsumerGroupOffsets(
            groups,
            new ListConsumerGroupOffsetsOptions().timeoutMs(coordinators.answerTimeoutMillis()));
  }

  private static Map<TopicPartition, @Nullable OffsetAndMetadata> marks(
      ListConsumerGroupOffsetsResult asked, String group) throws InterruptedException {
    try {
      return Coordinators.await(asked.partitionsToOffsetAndMetadata(group));
    } catch (GroupIdNotFoundException nothingCommittedYet) {
      return Map.of();
    }
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
  record Mark(TransactionId id, long since, long generation, Line line) {

    /**
     * Whether it was committed in place of what a line did behind a checkpoint. Those of earlier
     * lines were not: what they have committed was known when the line began, and the marks of
     * subtasks that are no longer stay for ever.
     *
     * @param of that line; empty if it is not known
     * @param from marks that begin there or later overlap
     * @param checkpoint is left behind if a branch is before it
     */
    boolean replaces(OptionalLong of, long from, long checkpoint) {
      boolean ofAnEarlierLine = of.isPresent() && line.number() < of.getAsLong();
      return (since >= from && !ofAnEarlierLine) || hasLeftBehind(of, checkpoint);
    }

    boolean hasLeftBehind(OptionalLong of, long checkpoint) {
      return of.isPresent() && line.hasLeftBehind(of.getAsLong(), checkpoint);
    }

    static Optional<Mark> parse(OffsetAndMetadata mark) {
      List<String> parts = List.of(mark.metadata().split(" ", -1));
      try {
        long generation = parts.size() < 2 ? 0 : Long.parseLong(parts.get(1));
        Line line = Line.parse(parts.subList(Math.min(2, parts.size()), parts.size()));
        return TransactionId.parse(parts.get(0))
            .map(id -> new Mark(id, mark.offset(), generation, line));
      } catch (NumberFormatException foreign) {
        return Optional.empty();
      }
    }
  }

  /** A transaction's mark. */
  public static OffsetAndMetadata mark(TransactionId id, long generation, Line line) {
    return new OffsetAndMetadata(id.since(), id + " " + generation + " " + line);
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
