package dev.twophase.flink;

import dev.twophase.internal.engine.EngineClock;
import dev.twophase.internal.function.CommitRetry;
import dev.twophase.internal.function.PreparedLedger;
import dev.twophase.internal.function.RecoveryList;
import dev.twophase.internal.function.RestoreContext;
import dev.twophase.internal.function.RestoredList;
import dev.twophase.internal.function.RuntimeChecks;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A drop-in replacement for Flink's {@code TwoPhaseCommitSinkFunction}: the same constructor, the
 * same methods to implement and override, the same state. Change the name after {@code extends},
 * and on the same Flink line the state of the old class is read. It mends what the base class
 * leaves open:
 *
 * <ul>
 *   <li>Commits run in checkpoint order and the first that fails stops the rest (C3); afterwards
 *       neither another commit nor another snapshot succeeds until the task has restarted.
 *   <li>A failed commit is repeated with growing, jittered, interruptible pauses for {@link
 *       #setCommitTimeout} or what is left of {@link #setTransactionTimeout}, whichever is less
 *       (C8). {@code commit} and {@code recoverAndCommit} must therefore be idempotent (C2).
 *   <li>On restore, everything restored is committed before anything restored is aborted or begun
 *       (R1).
 *   <li>On scale-in, the user contexts of several former subtasks meet in {@link
 *       #mergeUserContexts}; none is lost silently.
 *   <li>A job without checkpoints, in BATCH mode, or without final checkpoints is refused when the
 *       function starts, because everything, or everything after the last checkpoint, would be
 *       aborted (E3).
 *   <li>Transactions waiting for their commit are capped (S3), see {@link #setMaxPending}.
 *   <li>The metrics {@code preparedTransactions}, {@code oldestPreparedAge} and {@code
 *       commitRetries} show what is waiting.
 *   <li>{@code close()} aborts the open transaction at best effort: an error there is logged (E2).
 * </ul>
 *
 * <p>As in the base class, {@code beginTransaction} and everything restored run before {@code
 * open}, and what a crashed attempt began after its last completed checkpoint is in no state: it
 * lingers until the resource times it out. {@link TransactionalSinkFunction} mends that too.
 *
 * <p>Give it to {@code addSink} itself. A field of another function cannot hold it: what arrives at
 * the task is of another class, which Flink drives instead, and Java deserialization fails with a
 * {@code ClassCastException}.
 *
 * <p>After a scale-in {@code finishRecoveringContext} is called once, with the merged context, all
 * committed transactions and one of those aborted.
 *
 * <p><b>Threading.</b> All methods are called by the task's thread.
 *
 * @param <IN> type of the records
 * @param <TXN> handle of a transaction, as in the base class
 * @param <CONTEXT> type of the user context, as in the base class
 */
public abstract class HardenedTwoPhaseCommitSinkFunction<IN, TXN, CONTEXT>
    extends FlinkTwoPhaseCommitSinkFunction<IN, TXN, CONTEXT> {

  private static final long serialVersionUID = 1L;

  private static final Logger LOG =
      LoggerFactory.getLogger(HardenedTwoPhaseCommitSinkFunction.class);

  private final TypeSerializer<TXN> transactionSerializer;
  private final PreparedLedger prepared = new PreparedLedger();

  private Duration commitTimeout = Duration.ofSeconds(60);
  private long transactionTimeoutMillis = Long.MAX_VALUE;

  private transient boolean driven;
  private transient Counter retries = new SimpleCounter();
  private transient long openSince;
  private transient @Nullable Throwable firstFailure;

  /**
   * @param transactionSerializer serializer of the handle, as in the base class
   * @param contextSerializer serializer of the user context, as in the base class
   */
  protected HardenedTwoPhaseCommitSinkFunction(
      TypeSerializer<TXN> transactionSerializer, TypeSerializer<CONTEXT> contextSerializer) {
    super(transactionSerializer, contextSerializer);
    this.transactionSerializer = transactionSerializer;
  }

  /**
   * How long a failed commit is repeated before the job fails and Flink restarts it (C8); zero for
   * a single attempt. Default 60 s.
   *
   * @throws IllegalArgumentException if negative or longer than a hundred years
   */
  public HardenedTwoPhaseCommitSinkFunction<IN, TXN, CONTEXT> setCommitTimeout(Duration timeout) {
    this.commitTimeout = SinkOptions.defaults().withCommitTimeout(timeout).commitTimeout();
    return this;
  }

  /**
   * How many prepared transactions may wait for their commit, and how many bytes their serialized
   * handles may take, before the next checkpoint is refused (S3). Default 1,000 and 64 MiB.
   *
   * @throws IllegalArgumentException if one is not positive
   */
  public HardenedTwoPhaseCommitSinkFunction<IN, TXN, CONTEXT> setMaxPending(
      int transactions, long bytes) {
    prepared.setLimit(transactions, bytes);
    return this;
  }

  /** {@inheritDoc} Also ends the repetition of failed commits (C8). */
  @Override
  protected HardenedTwoPhaseCommitSinkFunction<IN, TXN, CONTEXT> setTransactionTimeout(
      long transactionTimeout) {
    super.setTransactionTimeout(transactionTimeout);
    this.transactionTimeoutMillis = transactionTimeout;
    return this;
  }

  /**
   * Makes one user context of those of several former subtasks, on scale-in.
   *
   * <p>This default returns the first if all are equal.
   *
   * @param contexts at least two, in the order of the restored state
   * @return the context to go on with
   * @throws IllegalStateException if they differ: nothing is dropped silently
   */
  protected CONTEXT mergeUserContexts(List<CONTEXT> contexts) {
    CONTEXT first = contexts.get(0);
    for (CONTEXT context : contexts) {
      if (!Objects.equals(first, context)) {
        throw new IllegalStateException(
            getClass().getName()
                + " was restored with "
                + contexts.size()
                + " different user contexts, because the parallelism was reduced. Override"
                + " mergeUserContexts(List) to make one of them, or restore at the former"
                + " parallelism");
      }
    }
    return first;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    if (!driven) {
      throw new IllegalStateException(
          getClass().getName()
              + " runs without having been serialized, as only test harnesses do: give the harness"
              + " function.hardened() instead of the function");
    }
    refuseUnsafeSetup();
    firstFailure = null;
    prepared.clear();
    prepared.register(getRuntimeContext().getMetricGroup());
    retries = getRuntimeContext().getMetricGroup().counter("commitRetries");
    if (context.isRestored()) {
      restore(context);
    } else {
      super.initializeState(context);
    }
    openSince = clock().millis();
  }

  /** Lets the base class restore from one state that holds everything in the right order. */
  private void restore(FunctionInitializationContext context) throws Exception {
    Restored restored = new Restored();
    RestoreContext ordered =
        new RestoreContext(
            context,
            descriptor ->
                restored.substitute(context.getOperatorStateStore().getListState(descriptor)));
    retry()
        .run(
            describe() + ": commit of what was restored",
            Long.MAX_VALUE,
            () -> super.initializeState(ordered),
            restored::committing);
    state = restored.original();
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    refuseAfterFailure();
    TXN current = currentTransaction();
    if (current != null) {
      prepared.refuseBeyondLimit(describe());
    }
    super.snapshotState(context);
    if (current != null) {
      prepared.add(context.getCheckpointId(), openSince, clock().millis(), sizeOf(current));
    }
    openSince = clock().millis();
  }

  /**
   * Commits what was prepared up to this checkpoint, oldest first, until one fails (C3, C4).
   *
   * @throws dev.twophase.error.OutcomeUnknownException if one still fails after all repetitions
   */
  void commitUpTo(long checkpointId) throws Exception {
    refuseAfterFailure();
    while (!pendingCommitTransactions.isEmpty()) {
      long oldest = pendingCommitTransactions.keySet().iterator().next();
      if (oldest > checkpointId) {
        return;
      }
      try {
        commitOldest(oldest);
      } catch (Throwable failure) {
        firstFailure = failure;
        throw failure;
      }
    }
  }

  private void commitOldest(long checkpointId) throws Exception {
    Map<Long, TransactionHolder<TXN>> pending = new LinkedHashMap<>(pendingCommitTransactions);
    long expiry = prepared.expiryOf(checkpointId, transactionTimeoutMillis);
    retry()
        .run(
            describe() + ": commit of checkpoint " + checkpointId,
            expiry,
            () -> commitOnce(checkpointId, pending),
            () -> true);
    prepared.remove(checkpointId);
  }

  /** The base class commits up to an id; up to that of the oldest, this is a single one. */
  private void commitOnce(long checkpointId, Map<Long, TransactionHolder<TXN>> pending)
      throws Exception {
    try {
      notifyCheckpointComplete(checkpointId);
    } catch (Exception failure) {
      // The base class has removed it although it is not committed.
      pendingCommitTransactions.clear();
      pendingCommitTransactions.putAll(pending);
      if (failure.getCause() instanceof Error error) {
        throw error;
      }
      throw failure.getCause() instanceof Exception cause ? cause : failure;
    }
  }

  @Override
  public void close() throws Exception {
    try {
      super.close();
    } catch (Exception failure) {
      LOG.warn("{}: the open transaction could not be aborted", describe(), failure);
    }
  }

  private void refuseAfterFailure() {
    Throwable failure = firstFailure;
    if (failure != null) {
      throw new IllegalStateException(
          describe()
              + ": an earlier commit failed, so nothing can be prepared or committed until the task"
              + " has restarted",
          failure);
    }
  }

  private long sizeOf(TXN transaction) throws Exception {
    DataOutputSerializer out = new DataOutputSerializer(64);
    transactionSerializer.serialize(transaction, out);
    return out.length();
  }

  /** Refuses a job that would abort silently (E3). */
  void refuseUnsafeSetup() {
    RuntimeChecks.refuseSilentLoss(getClass().getSimpleName(), getRuntimeContext());
  }

  /** Time as this function sees it. */
  EngineClock clock() {
    return EngineClock.system();
  }

  private CommitRetry retry() {
    return new CommitRetry(
        commitTimeout, clock(), () -> ThreadLocalRandom.current().nextDouble(), retries::inc);
  }

  private String describe() {
    return getClass().getSimpleName()
        + " "
        + getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
  }

  @Override
  final FlinkSinkFunction<IN> runner() {
    driven = true;
    return new HardenedRunner<>(this);
  }

  /** Java deserialization gives the runner, which alone can order and repeat commits. */
  protected final Object readResolve() {
    return runner();
  }

  /** The restored states of several former subtasks as one: commits first, aborts after (R1). */
  private final class Restored {

    private @Nullable ListState<State<TXN, CONTEXT>> original;
    private @Nullable RecoveryList<TransactionHolder<TXN>> commits;

    @SuppressWarnings("unchecked") // The base class asks for no other list state.
    ListState<?> substitute(ListState<?> listState) throws Exception {
      ListState<State<TXN, CONTEXT>> states = (ListState<State<TXN, CONTEXT>>) listState;
      original = states;
      List<TransactionHolder<TXN>> pending = new ArrayList<>();
      List<TransactionHolder<TXN>> open = new ArrayList<>();
      List<CONTEXT> contexts = new ArrayList<>();
      for (State<TXN, CONTEXT> restored : states.get()) {
        pending.addAll(restored.getPendingCommitTransactions());
        Optional.ofNullable(restored.getPendingTransaction()).ifPresent(open::add);
        restored.getContext().ifPresent(contexts::add);
      }
      Optional<CONTEXT> context =
          contexts.size() < 2
              ? contexts.stream().findFirst()
              : Optional.of(mergeUserContexts(contexts));
      // The base class aborts the first of the open ones itself.
      Optional<TransactionHolder<TXN>> first = open.stream().findFirst();
      commits = new RecoveryList<>(pending, () -> open.stream().skip(1).forEach(this::abort));
      return new RestoredList<>(states, List.of(new State<>(first.orElse(null), commits, context)));
    }

    private void abort(TransactionHolder<TXN> open) {
      recoverAndAbort(handleOf(open));
    }

    /** The holder hides its handle, and shows it only through the map of pending commits. */
    private TXN handleOf(TransactionHolder<TXN> holder) {
      pendingCommitTransactions.put(Long.MIN_VALUE, holder);
      try {
        return HardenedTwoPhaseCommitSinkFunction.super
            .pendingTransactions()
            .filter(pending -> pending.getKey() == Long.MIN_VALUE)
            .findFirst()
            .orElseThrow()
            .getValue();
      } finally {
        pendingCommitTransactions.remove(Long.MIN_VALUE);
      }
    }

    boolean committing() {
      return commits != null && commits.committing();
    }

    ListState<State<TXN, CONTEXT>> original() {
      return Objects.requireNonNull(original, "the base class did not ask for its state");
    }
  }
}
