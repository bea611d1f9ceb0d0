package dev.twophase.kafka.internal.commit;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.kafka.internal.ExternalId;
import dev.twophase.kafka.internal.RewindMarks;
import dev.twophase.kafka.internal.client.ClientProperties;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.EndTransactions;
import dev.twophase.kafka.internal.client.EndTransactions.Answer;
import dev.twophase.kafka.internal.client.EndTransactions.Ending;
import dev.twophase.kafka.internal.client.EndTransactions.Reply;
import dev.twophase.kafka.internal.client.KafkaClients;
import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import dev.twophase.kafka.internal.commit.KafkaHandle.LiveCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Commits prepared transactions: through their live producers where this process has them, else by
 * asking the coordinators what is left to do, ending that, and asking again. No outcome is read off
 * an error code (C6): a refusal only leads to another look at the coordinator's state, and where
 * that is silent, at the witness.
 *
 * <p>Not thread-safe.
 */
public final class Commits {

  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  /** One call tries this long; then the caller pauses and calls again. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Supplier<Coordinators> coordinators;
  private final Supplier<EndTransactions> endTransactions;
  private final WitnessReader witnesses;
  private final Foresight foresight = new Foresight();
  private final boolean marked;

  /**
   * The clients are asked for when first needed: a job without failures has none.
   *
   * @param marked whether transactions leave {@link RewindMarks}
   */
  public Commits(
      Supplier<Coordinators> coordinators,
      Supplier<EndTransactions> endTransactions,
      KafkaClients clients,
      ClientProperties properties,
      boolean marked) {
    this.marked = marked;
    this.coordinators = coordinators;
    this.endTransactions = endTransactions;
    this.witnesses = new WitnessReader(clients, properties);
  }

  /**
   * Commits all of them.
   *
   * @return the outcomes, in the order of the argument
   * @throws CommitRefusedException if an outcome cannot be established by waiting
   * @throws org.apache.kafka.common.KafkaException if an outcome is unknown so far
   */
  public List<CommitOutcome> commit(List<KafkaHandle> handles)
      throws CommitRefusedException, InterruptedException {
    Work work = new Work();
    for (KafkaHandle handle : handles) {
      LiveCommit live = handle.live();
      if (live != null && live.commit(handle.facts())) {
        work.outcomes.put(handle, CommitOutcome.committed());
      } else {
        work.left.add(handle);
      }
    }
    try {
      endForeseen(work);
      settle(work);
    } catch (KafkaException unknown) {
      Facts first = work.left.get(0).facts();
      throw new KafkaException(
          "Outcome of "
              + first.transactionalId()
              + " is unknown, and read_committed consumers of "
              + partitions(first)
              + " wait for it: "
              + unknown.getMessage(),
          unknown);
    }
    return handles.stream().map(work.outcomes::get).toList();
  }

  /** One call's transactions, and how far they are. */
  private static final class Work {
    final Map<KafkaHandle, CommitOutcome> outcomes = new HashMap<>();
    final List<KafkaHandle> left = new ArrayList<>();

    /** What was in the way last, for the message. */
    final Map<KafkaHandle, String> problems = new HashMap<>();

    /** For which this call has sent an EndTxn. */
    final Set<KafkaHandle> asked = new HashSet<>();

    void settled(KafkaHandle handle, CommitOutcome outcome) {
      LiveCommit live = handle.live();
      if (live != null) {
        live.settled();
      }
      outcomes.put(handle, outcome);
    }
  }

  private void endForeseen(Work work) throws CommitRefusedException, InterruptedException {
    Map<Ending, KafkaHandle> open = new HashMap<>();
    for (KafkaHandle handle : work.left) {
      foresight
          .commitOf(handle.facts(), coordinators.get())
          .ifPresent(ending -> open.put(ending, handle));
    }
    if (!open.isEmpty()) {
      end(open, work, PATIENCE);
      work.left.removeIf(work.outcomes::containsKey);
    }
  }

  private void settle(Work work) throws CommitRefusedException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long pause = FIRST_PAUSE_MILLIS;
    while (!work.left.isEmpty()) {
      Map<Ending, KafkaHandle> open = look(work);
      if (!open.isEmpty()) {
        end(open, work, Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
      work.left.removeIf(work.outcomes::containsKey);
      if (!work.left.isEmpty()) {
        if (System.nanoTime() >= deadline) {
          throw new TimeoutException(
              "after " + PATIENCE + ", " + work.problems.get(work.left.get(0)));
        }
        Thread.sleep(pause);
        pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
      }
    }
  }

  /** Settles what the coordinators or witnesses know the outcome of; returns what is still open. */
  private Map<Ending, KafkaHandle> look(Work work)
      throws CommitRefusedException, InterruptedException {
    Map<String, TransactionDescription> states =
        coordinators
            .get()
            .describe(work.left.stream().map(handle -> handle.facts().transactionalId()).toList());
    Map<Integer, Node> nodes = null;
    Map<Ending, KafkaHandle> open = new HashMap<>();
    for (KafkaHandle handle : work.left) {
      TransactionDescription state = states.get(handle.facts().transactionalId());
      switch (CoordinatorView.of(handle.facts(), state)) {
        case OPEN -> {
          nodes = nodes == null ? coordinators.get().nodes() : nodes;
          Node node = state == null ? null : nodes.get(state.coordinatorId());
          if (node == null) {
            work.problems.put(handle, "its coordinator is moving");
          } else {
            open.put(ending(handle.facts(), node), handle);
          }
        }
        case ABORTING -> work.problems.put(handle, "its coordinator is aborting it");
        // The answer to EndTxn, too, comes as soon as the decision is in the coordinator's log.
        case COMMITTING, COMMITTED ->
            work.settled(
                handle,
                work.asked.contains(handle)
                    ? CommitOutcome.committed()
                    : CommitOutcome.alreadyCommitted());
        case ABORTED -> work.settled(handle, aborted(handle, state));
        case SILENT -> work.settled(handle, byWitness(handle, state));
      }
    }
    return open;
  }

  private static Ending ending(Facts facts, Node coordinator) {
    return new Ending(
        facts.transactionalId(),
        facts.producerId(),
        facts.epoch(),
        facts.protocol(),
        true,
        coordinator);
  }

  private void end(Map<Ending, KafkaHandle> open, Work work, Duration timeout)
      throws CommitRefusedException, InterruptedException {
    work.asked.addAll(open.values());
    Map<Ending, Reply> replies = endTransactions.get().end(open.keySet(), timeout);
    for (Map.Entry<Ending, KafkaHandle> each : open.entrySet()) {
      Reply reply = replies.getOrDefault(each.getKey(), new Reply(Answer.UNKNOWN, "no reply"));
      if (reply.answer() == Answer.DONE) {
        work.settled(each.getValue(), CommitOutcome.committed());
      } else if (reply.answer() == Answer.UNAUTHORIZED) {
        throw new CommitRefusedException(
            "Transaction "
                + each.getKey().transactionalId()
                + " cannot be committed: the user has no right to write under this transactional"
                + " id. Grant WRITE and DESCRIBE on transactional ids with the prefix '"
                + sinkPrefix(each.getKey().transactionalId())
                + "' and restart the job; nothing is lost until the transaction times out");
      } else {
        work.problems.put(each.getValue(), "EndTxn was answered by: " + reply.detail());
      }
    }
  }

  private static String sinkPrefix(String transactionalId) {
    return transactionalId.substring(0, transactionalId.indexOf('/') + 1);
  }

  /** A loss is a grave claim: the log is asked as well, if it still can tell. */
  private CommitOutcome aborted(KafkaHandle handle, @Nullable TransactionDescription state)
      throws InterruptedException {
    String evidence = "its coordinator says " + describe(state);
    if (handle.facts().witness().isPresent()) {
      Witness witness = handle.facts().witness().get();
      switch (witnesses.ask(witness)) {
        case COMMITTED -> {
          return CommitOutcome.alreadyCommitted();
        }
        case ABORTED -> evidence += ", and a read_committed consumer passes over its " + witness;
        case UNDECIDED ->
            throw new TimeoutException(
                "the coordinator has aborted it, but its " + witness + " is not decided yet");
        case GONE -> evidence += "; its " + witness + " is no longer in the log";
      }
    }
    return lostOrSuperseded(handle.facts(), evidence);
  }

  private CommitOutcome byWitness(KafkaHandle handle, @Nullable TransactionDescription state)
      throws CommitRefusedException, InterruptedException {
    Facts facts = handle.facts();
    Witness witness =
        facts.witness().orElseThrow(() -> unprovable(facts, state, "it has no witness"));
    return switch (witnesses.ask(witness)) {
      case COMMITTED -> CommitOutcome.alreadyCommitted();
      case ABORTED ->
          lostOrSuperseded(
              facts,
              "a read_committed consumer passes over its "
                  + witness
                  + "; the coordinator says "
                  + describe(state));
      case UNDECIDED -> throw new TimeoutException("its " + witness + " is not decided yet");
      case GONE ->
          throw unprovable(
              facts, state, "its " + witness + " was removed by retention, compaction or deletion");
    };
  }

  /**
   * Aborted, and yet nothing is lost if another attempt has written the same records again and
   * committed them: then this one is a zombie, or the job runs twice.
   */
  private CommitOutcome lostOrSuperseded(Facts facts, String evidence) throws InterruptedException {
    Optional<ExternalId> id = ExternalId.parse(facts.transactionalId());
    Optional<TransactionId> another =
        id.isEmpty() || !marked
            ? Optional.empty()
            : RewindMarks.committedByAnother(coordinators.get(), id.get(), facts.since());
    return another.isEmpty()
        ? lost(facts, evidence)
        : CommitOutcome.superseded(
            "transaction "
                + another.get()
                + " of another attempt, which began at or after the same checkpoint, is committed,"
                + " and "
                + evidence
                + ". One running job may use this transactionalIdPrefix");
  }

  private static CommitOutcome lost(Facts facts, String evidence) {
    return CommitOutcome.lost(
        evidence
            + ". Written to "
            + partitions(facts)
            + " under transactional id "
            + facts.transactionalId()
            + " (producer id "
            + facts.producerId()
            + ", epoch "
            + facts.epoch()
            + ")");
  }

  private static String partitions(Facts facts) {
    List<String> topics = new ArrayList<>();
    facts
        .partitions()
        .forEach((topic, partitions) -> topics.add(topic + " partitions " + partitions));
    return String.join(", ", topics);
  }

  private static CommitRefusedException unprovable(
      Facts facts, @Nullable TransactionDescription state, String why) {
    return new CommitRefusedException(
        "The outcome of "
            + facts.transactionalId()
            + " (producer id "
            + facts.producerId()
            + ", epoch "
            + facts.epoch()
            + ", written to "
            + partitions(facts)
            + ") cannot be proven: the coordinator says "
            + describe(state)
            + ", and "
            + why
            + ". Look for its records in the topic; then restore from a newer checkpoint, or start"
            + " from this one without this sink's state. For compacted topics set a marker topic:"
            + " setMarkerTopic(\"...\")");
  }

  private static String describe(@Nullable TransactionDescription state) {
    return state == null
        ? "that it does not know the transactional id"
        : state.state()
            + " for producer id "
            + state.producerId()
            + ", epoch "
            + state.producerEpoch();
  }
}
