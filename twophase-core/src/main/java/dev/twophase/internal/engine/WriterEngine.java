package dev.twophase.internal.engine;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.policy.RewindPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writing half of the protocol for one attempt of one subtask: which transaction a record goes
 * into (W1), when one begins and ends (W4, W5), and what the attempt inherits from those before it
 * (R2, R6).
 *
 * <p>Lingering transactions are <em>listed early and aborted late</em>. With each checkpoint the
 * attempt lists what attempts before it left unfinished; the list travels in that checkpoint's
 * handle, and only the commit of that handle aborts. By then everything restored has been committed
 * (R1), and no later attempt's transaction can be on the list, because no later attempt existed
 * when the barrier passed. Passes repeat until one finds nothing, so that a zombie which begins
 * something after the first is swept too (R5). Aborting at restore, by any rule, would let an
 * attempt that froze in recovery kill what its successor has prepared.
 *
 * <p>Not thread-safe: one subtask, one thread.
 */
public final class WriterEngine<IN, T, H> {

  private static final Logger LOG = LoggerFactory.getLogger(WriterEngine.class);

  private final TransactionalConnector<IN, T, H> connector;
  private Attempt attempt;
  private final EngineClock clock;
  private final ProtocolListener listener;

  private @Nullable T open;
  private @Nullable TransactionId openId;
  private long begunAt;
  private long records;
  private long since;
  private boolean swept;
  private boolean ended;
  private boolean lastPrepared;
  private @Nullable Throwable failure;

  public WriterEngine(
      TransactionalConnector<IN, T, H> connector,
      Attempt attempt,
      EngineClock clock,
      ProtocolListener listener) {
    this.connector = connector;
    this.attempt = attempt;
    this.clock = clock;
    this.listener = listener;
    this.since = attempt.restoredCheckpoint();
  }

  /**
   * Checks, before anything is written, that the job was not taken back behind something it had
   * published (R6).
   *
   * @throws RewindDetectedException if it was and the policy is to fail
   */
  public void checkRewind(RewindPolicy policy) throws Exception {
    Optional<TransactionId> proof = connector.committedSince(attempt.restoredCheckpoint());
    if (proof.isEmpty()) {
      return;
    }
    boolean elsewhere = proof.get().since() < attempt.restoredCheckpoint();
    String found =
        "Sink '"
            + attempt.sinkName()
            + "' was started from "
            + (attempt.restoredCheckpoint() == 0
                ? "no checkpoint"
                : "checkpoint " + attempt.restoredCheckpoint())
            + ", but transaction "
            + proof.get()
            + ", which began at checkpoint "
            + proof.get().since()
            + (elsewhere
                ? " of a line that left this checkpoint behind, is already committed"
                : ", is already committed");
    if (policy == RewindPolicy.ACCEPT) {
      LOG.warn("{}; going on by policy ACCEPT: its records will be published again", found);
      return;
    }
    throw new RewindDetectedException(
        found
            + ": going on would publish its records twice, and rewindPolicy is "
            + policy
            + (elsewhere
                ? ". Restore from the latest checkpoint of the job that took the place of this one, "
                : ". Restore from the latest checkpoint, ")
            + connector
                .rewindRemedy(attempt.restoredCheckpoint())
                .map(remedy -> remedy + ", ")
                .orElse("")
            + "give the sink another name, or accept duplicates with"
            + " SinkOptions.withRewindPolicy(RewindPolicy.ACCEPT)");
  }

  /** Writes one record into the open transaction, beginning one if there is none (W1). */
  public void write(IN record, WriteContext context) throws Exception {
    T transaction = open;
    if (transaction == null) {
      transaction = begin();
    }
    try {
      connector.write(transaction, record, context);
    } catch (Throwable error) {
      failure = error;
      throw error;
    }
    records++;
  }

  private T begin() throws Exception {
    refuseAfterFailure();
    TransactionId id = attempt.transactionSince(since);
    T begun = connector.begin(id);
    open = begun;
    openId = id;
    begunAt = clock.millis();
    records = 0;
    listener.begun(id);
    return begun;
  }

  /**
   * Ends the open transaction and prepares it (W2 to W5).
   *
   * @return empty if there is nothing to commit and nothing to clean up
   */
  public Optional<PreparedTransaction<H>> prepare() throws Exception {
    refuseAfterFailure();
    long start = clock.millis();
    List<Unfinished> lingering = swept ? List.of() : listLingering();
    swept = lingering.isEmpty();
    if (open == null && connector.coversEmptyIntervals() && !lastPrepared) {
      begin();
    }
    T transaction = open;
    TransactionId id = openId;
    if (transaction == null || id == null) {
      return lingering.isEmpty()
          ? Optional.empty()
          : Optional.of(
              prepared(attempt.transactionSince(since), start, Optional.empty(), lingering));
    }
    Optional<H> handle;
    try {
      handle = connector.preCommit(transaction);
    } catch (Throwable error) {
      failure = error;
      throw error;
    }
    open = null;
    openId = null;
    lastPrepared = ended;
    long now = clock.millis();
    listener.prepared(id, now - start);
    return handle.isEmpty() && lingering.isEmpty()
        ? Optional.empty()
        : Optional.of(prepared(id, now, handle, lingering));
  }

  private PreparedTransaction<H> prepared(
      TransactionId id, long now, Optional<H> handle, List<Unfinished> lingering) {
    long count = handle.isPresent() ? records : 0;
    return new PreparedTransaction<>(
        id,
        PreparedTransaction.UNSTAMPED,
        handle.isPresent() ? begunAt : now,
        now,
        count,
        handle,
        lingering);
  }

  private List<Unfinished> listLingering() throws Exception {
    List<Unfinished> lingering = new ArrayList<>();
    for (Unfinished unfinished : connector.unfinished()) {
      if (attempt.inherits(unfinished.id())) {
        lingering.add(unfinished);
      }
    }
    return lingering;
  }

  /**
   * Tells that no record will follow (E1). Intervals after the next transaction are none: the task
   * may stay for more checkpoints, and whoever commits the last of them is gone before the others.
   */
  public void endOfInput() {
    ended = true;
    connector.endOfInput();
  }

  /** Tells that event time has advanced. */
  public void watermark(long timestamp) {
    connector.watermark(timestamp);
  }

  /** Tells that a snapshot has been taken: what begins from here on is of the next interval. */
  public void snapshotTaken(long checkpointId) {
    if (open != null) {
      throw new IllegalStateException(
          "Transaction " + openId + " would outlive the snapshot of checkpoint " + checkpointId);
    }
    since = checkpointId;
  }

  /**
   * Goes on under another nonce, so that the next transaction gets an id of its own although no
   * snapshot was taken (W6). Only where nothing waits for a checkpoint.
   */
  public void renew(UUID nonce) {
    attempt =
        new Attempt(
            attempt.sinkName(),
            attempt.subtask(),
            attempt.parallelism(),
            nonce,
            attempt.restoredCheckpoint());
  }

  /** Whether a transaction is open. */
  public boolean isOpen() {
    return open != null;
  }

  /** Aborts the open transaction at best effort, and nothing else (E2). */
  public void abortOpen() {
    T transaction = open;
    if (transaction == null) {
      return;
    }
    open = null;
    try {
      connector.abort(transaction);
    } catch (Exception error) {
      LOG.warn(
          "Could not abort open transaction {}; the next attempt will clean it up", openId, error);
    }
  }

  private void refuseAfterFailure() {
    Throwable cause = failure;
    if (cause != null) {
      throw new IllegalStateException(
          "Sink '"
              + attempt.sinkName()
              + "' had a failed write or preCommit; nothing can be prepared until the task restarts",
          cause);
    }
  }
}
