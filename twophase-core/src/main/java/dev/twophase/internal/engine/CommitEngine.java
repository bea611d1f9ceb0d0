package dev.twophase.internal.engine;

import dev.twophase.CommitOutcome;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.TransactionLostException;
import dev.twophase.error.TransactionSupersededException;
import dev.twophase.policy.LossPolicy;
import dev.twophase.policy.LostTransaction;
import dev.twophase.policy.Quarantine;
import dev.twophase.policy.SinkOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committing half of the protocol. Transactions of one former subtask are committed in the
 * order of their checkpoints, and the first that fails stops those behind it (C3); those of
 * different subtasks go to the connector as one batch, and all at once where it keeps the order
 * itself. An unknown outcome is asked for again under the same handle until the budget is used up
 * (C7, C8); a proven loss follows the policy (C9). What lingers is aborted last, after everything
 * given here has been committed (R1, R2).
 *
 * <p>Not thread-safe: one subtask, one thread.
 */
public final class CommitEngine<H> {

  private static final Logger LOG = LoggerFactory.getLogger(CommitEngine.class);

  /** How a transaction was settled. */
  public enum Settlement {
    COMMITTED,
    ALREADY_COMMITTED,
    QUARANTINED
  }

  /** Told of each transaction as it is settled. */
  @FunctionalInterface
  public interface Settled<H> {
    void settled(PreparedTransaction<H> transaction, Settlement settlement);
  }

  private final TransactionalConnector<?, ?, H> connector;
  private final LossPolicy lossPolicy;
  private final RetryBudget retries;
  private final EngineClock clock;
  private final ProtocolListener listener;

  /**
   * @param jitter values from 0 to below 1
   */
  public CommitEngine(
      TransactionalConnector<?, ?, H> connector,
      SinkOptions options,
      EngineClock clock,
      DoubleSupplier jitter,
      ProtocolListener listener) {
    this.connector = connector;
    this.lossPolicy = options.lossPolicy();
    this.clock = clock;
    this.listener = listener;
    this.retries =
        new RetryBudget(
            options.commitTimeout(), connector.transactionLifetime(), clock, jitter, listener);
  }

  /**
   * Commits everything given and then aborts what it lists as lingering.
   *
   * @throws TransactionLostException if a loss is proven and the policy is to fail
   * @throws dev.twophase.error.OutcomeUnknownException if the retries are used up
   * @throws CommitRefusedException if the resource refuses
   * @throws TransactionSupersededException if this process turns out to be a zombie
   * @throws InterruptedException if interrupted while waiting
   */
  public void commit(Collection<PreparedTransaction<H>> transactions, Settled<H> settled)
      throws Exception {
    List<PreparedTransaction<H>> ordered = ordered(transactions);
    if (connector.commitsInOrder()) {
      commitOrdered(ordered, settled);
    } else {
      for (List<PreparedTransaction<H>> round : rounds(ordered)) {
        commitRound(round, settled);
      }
    }
    sweep(transactions);
  }

  private static <H> List<PreparedTransaction<H>> ordered(
      Collection<PreparedTransaction<H>> transactions) {
    List<PreparedTransaction<H>> ordered = new ArrayList<>(transactions);
    if (ordered.size() > 1) {
      ordered.sort(
          Comparator.<PreparedTransaction<H>>comparingLong(PreparedTransaction::checkpointId)
              .thenComparingLong(transaction -> transaction.id().since())
              .thenComparingInt(transaction -> transaction.id().subtask()));
    }
    return ordered;
  }

  /** Round k holds the k-th transaction of each former subtask. */
  private static <H> List<List<PreparedTransaction<H>>> rounds(
      List<PreparedTransaction<H>> ordered) {
    if (ordered.size() < 2) {
      return ordered.isEmpty() ? List.of() : List.of(ordered);
    }
    List<List<PreparedTransaction<H>>> rounds = new ArrayList<>();
    Map<Integer, Integer> roundOfSubtask = new HashMap<>();
    for (PreparedTransaction<H> transaction : ordered) {
      int round = roundOfSubtask.merge(transaction.id().subtask(), 1, Integer::sum) - 1;
      if (round == rounds.size()) {
        rounds.add(new ArrayList<>());
      }
      rounds.get(round).add(transaction);
    }
    return rounds;
  }

  private void commitRound(List<PreparedTransaction<H>> round, Settled<H> settled)
      throws Exception {
    List<PreparedTransaction<H>> batch = withHandle(round, settled);
    if (batch.isEmpty()) {
      return;
    }
    int told = commitBatch(batch, settled);
    if (told != batch.size()) {
      throw wrongCount(batch.size(), told);
    }
  }

  /** The connector keeps the order, and may take several calls. */
  private void commitOrdered(List<PreparedTransaction<H>> ordered, Settled<H> settled)
      throws Exception {
    List<PreparedTransaction<H>> left = withHandle(ordered, settled);
    while (!left.isEmpty()) {
      int told = commitBatch(left, settled);
      if (told == 0) {
        throw wrongCount(left.size(), told);
      }
      left = left.subList(told, left.size());
    }
  }

  /** Leaves out those that only carry a list of what lingers: there is nothing to commit. */
  private List<PreparedTransaction<H>> withHandle(
      List<PreparedTransaction<H>> transactions, Settled<H> settled) {
    List<PreparedTransaction<H>> batch = new ArrayList<>(transactions.size());
    for (PreparedTransaction<H> transaction : transactions) {
      if (transaction.handle().isPresent()) {
        batch.add(transaction);
      } else {
        settled.settled(transaction, Settlement.COMMITTED);
      }
    }
    return batch;
  }

  /** Returns of how many, from the first on, the connector has told the outcome. */
  private int commitBatch(List<PreparedTransaction<H>> batch, Settled<H> settled) throws Exception {
    long start = clock.millis();
    List<CommitOutcome> outcomes = retries.run(batch, () -> connector.commitAll(batch));
    if (outcomes.size() > batch.size()) {
      throw wrongCount(batch.size(), outcomes.size());
    }
    long took = clock.millis() - start;
    Optional<Exception> firstFailure = Optional.empty();
    for (int i = 0; i < outcomes.size(); i++) {
      Optional<Exception> failure = settle(batch.get(i), outcomes.get(i), took, settled);
      if (firstFailure.isEmpty()) {
        firstFailure = failure;
      }
    }
    if (firstFailure.isPresent()) {
      throw firstFailure.get();
    }
    return outcomes.size();
  }

  private static IllegalStateException wrongCount(int given, int told) {
    return new IllegalStateException(
        "commitAll was given " + given + " transactions and told of " + told);
  }

  private Optional<Exception> settle(
      PreparedTransaction<H> transaction, CommitOutcome outcome, long took, Settled<H> settled)
      throws Exception {
    Settlement settlement;
    if (outcome == null) {
      throw new IllegalStateException(
          "The connector told no outcome of "
              + transaction.id()
              + ": commit must return one, or throw if it is unknown");
    }
    if (outcome instanceof CommitOutcome.Lost lost) {
      LostTransaction loss = LostTransaction.of(transaction, lost.evidence());
      Optional<Quarantine> quarantine = lossPolicy.quarantine();
      if (quarantine.isEmpty()) {
        return Optional.of(
            new TransactionLostException(
                "Lost "
                    + loss.describe()
                    + ". The job fails because the loss policy is to fail; to go on without these"
                    + " records use LossPolicy.quarantine"));
      }
      quarantine.get().record(loss);
      LOG.error("Lost and quarantined {}", loss.describe());
      settlement = Settlement.QUARANTINED;
    } else if (outcome instanceof CommitOutcome.Superseded superseded) {
      return Optional.of(
          new TransactionSupersededException(
              "Transaction "
                  + transaction.id()
                  + " was taken over by a later attempt, so this one must stop: "
                  + superseded.evidence()));
    } else {
      settlement =
          outcome instanceof CommitOutcome.AlreadyCommitted
              ? Settlement.ALREADY_COMMITTED
              : Settlement.COMMITTED;
    }
    listener.settled(transaction, settlement, took);
    settled.settled(transaction, settlement);
    return Optional.empty();
  }

  private void sweep(Collection<PreparedTransaction<H>> transactions) throws Exception {
    Set<Unfinished> lingering = new HashSet<>();
    for (PreparedTransaction<H> transaction : transactions) {
      lingering.addAll(transaction.lingering());
    }
    if (lingering.isEmpty()) {
      return;
    }
    int aborted = retries.run(transactions, () -> abortUnfinished(lingering));
    if (aborted > 0) {
      LOG.info("Aborted {} lingering transactions of former attempts", aborted);
      listener.lingeringAborted(aborted);
    }
  }

  private int abortUnfinished(Set<Unfinished> lingering) throws Exception {
    int aborted = 0;
    for (Unfinished unfinished : connector.unfinished()) {
      if (lingering.contains(unfinished)) {
        connector.abort(unfinished);
        aborted++;
      }
    }
    return aborted;
  }
}
