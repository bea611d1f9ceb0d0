package dev.twophase.kafka.internal.commit;

import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import dev.twophase.kafka.internal.commit.KafkaHandle.Place;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks, just before a transaction is committed, whether another attempt has published the same
 * records in the meantime: a job that runs beside this one under its name may do so after the check
 * at the start (R6).
 *
 * <p>Not thread-safe.
 */
final class Overtaking {

  private final Supplier<Coordinators> coordinators;
  private final ConnectorContext context;
  private final boolean refused;

  /** Attempts whose first commit was preceded by a look at all former subtasks. */
  private final Set<UUID> begun = new HashSet<>();

  /**
   * @param refused whether it matters
   */
  Overtaking(Supplier<Coordinators> coordinators, ConnectorContext context, boolean refused) {
    this.coordinators = coordinators;
    this.context = context;
    this.refused = refused;
  }

  /** Whether a transaction of this process has been overtaken. */
  boolean hasOvertaken(Facts facts) throws InterruptedException {
    Optional<ExternalId> id = watched(facts);
    if (id.isEmpty()) {
      return false;
    }
    if (begun.contains(id.get().nonce())) {
      return ask(List.of(facts), 0).of(facts).isPresent();
    }
    // Its own subtask is one of them.
    boolean overtaken =
        RewindMarks.committedByAnother(coordinators.get(), context, facts.place(), id.get().nonce())
            .isPresent();
    if (!overtaken) {
      begun.add(id.get().nonce());
    }
    return overtaken;
  }

  /**
   * As {@link #ask}, of transactions that were restored: then the line that they are of may have
   * been left behind, which any subtask's mark tells.
   */
  Answer askOfRestored(Collection<Facts> transactions) {
    return ask(transactions, context.parallelism());
  }

  /** Asks for all of them at once, and does not wait for the answer. */
  Answer ask(Collection<Facts> transactions) {
    return ask(transactions, 0);
  }

  private Answer ask(Collection<Facts> transactions, int subtasks) {
    List<ExternalId> ids =
        transactions.stream().flatMap(facts -> watched(facts).stream()).distinct().toList();
    return new Answer(ids.isEmpty() ? null : RewindMarks.latest(coordinators.get(), ids, subtasks));
  }

  private Optional<ExternalId> watched(Facts facts) {
    return refused && facts.place().since() != Place.UNCOMPARABLE
        ? ExternalId.parse(facts.transactionalId())
        : Optional.empty();
  }

  /** What the marks say. */
  final class Answer {
    private final RewindMarks.@Nullable Latest latest;

    private Answer(RewindMarks.@Nullable Latest latest) {
      this.latest = latest;
    }

    /** The transaction that has overtaken this one, which was among those asked about. */
    Optional<TransactionId> of(Facts facts) throws InterruptedException {
      Optional<ExternalId> id = watched(facts);
      return latest == null || id.isEmpty()
          ? Optional.empty()
          : latest.committedByAnother(id.get(), facts.place());
    }

    /** The transaction of a line that has left behind the one that this transaction is of. */
    Optional<TransactionId> leftBehindBy(Facts facts) throws InterruptedException {
      Optional<ExternalId> id = watched(facts);
      return latest == null || id.isEmpty()
          ? Optional.empty()
          : latest.leftBehindBy(id.get(), facts.place());
    }
  }
}
