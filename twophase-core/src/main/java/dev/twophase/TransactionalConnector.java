package dev.twophase;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * An exactly-once sink for one external system (the <em>resource</em>), in the words of the
 * protocol: begin, write, preCommit, commit, abort. Both Flink sink APIs come for free, through
 * {@code TransactionalSink} and {@code TransactionalSinkFunction}.
 *
 * <p><b>Life of an instance.</b> The object a job author configures is serialized into the job. On
 * the cluster it is copied once per role and subtask, so that fields set in {@link #open} are never
 * shared: a {@link ConnectorContext.Role#WRITER} sees
 *
 * <pre>
 * open  preflight  committedSince?  unfinished*  ( begin  write*  ( preCommit | abort ) )*  close
 * </pre>
 *
 * and a {@link ConnectorContext.Role#COMMITTER}, which may live on another machine, sees
 *
 * <pre>
 * open  ( commit | unfinished | abort(Unfinished) )*  close
 * </pre>
 *
 * <p><b>Threading.</b> All methods of one instance are called by one thread at a time. Writer and
 * committer of a subtask usually share a thread, and a commit may run while a {@code write} of the
 * writer waits (C10); they are different instances.
 *
 * <p><b>Errors.</b> Any exception from {@link #commit} means <em>outcome unknown</em>: everything
 * is kept and the same handle is tried again after a pause (C7, C8), except {@link
 * dev.twophase.error.CommitRefusedException}, which fails the job at once because waiting cannot
 * help. An exception from any other method fails the task; Flink restarts it from the last
 * checkpoint.
 *
 * @param <IN> type of the records
 * @param <T> a live, open transaction; never leaves the process
 * @param <H> the handle: a small immutable value that names a prepared transaction in checkpoints
 */
public abstract class TransactionalConnector<IN, T, H> implements Serializable, AutoCloseable {

  private static final long serialVersionUID = 1L;

  /**
   * Creates clients. Nothing may be begun, committed or aborted here.
   *
   * @throws Exception if the resource cannot be reached; fails the task
   */
  public void open(ConnectorContext context) throws Exception {}

  /**
   * Refuses a set-up that would lose data silently (E3): missing rights, a missing target, a limit
   * of the resource. Called for each writer after {@link #open}, before anything is begun.
   *
   * @throws dev.twophase.error.SetupRefusedException naming setting, value and remedy
   * @throws Exception if the check itself cannot be made
   */
  public void preflight(PreflightContext context) throws Exception {}

  /**
   * Begins a transaction (W6: everything it creates in the resource must carry the id). Called
   * lazily, when the first record of a checkpoint interval arrives.
   *
   * @throws Exception if it cannot be begun; what was half created counts as unfinished
   */
  public abstract T begin(TransactionId id) throws Exception;

  /**
   * Adds a record to the open transaction (W1). The hot path: do not allocate or lock. An
   * asynchronous error may surface later, at the latest in {@link #preCommit} (W3).
   *
   * @throws Exception if the write failed; the transaction will not be prepared
   */
  public abstract void write(T transaction, IN record, WriteContext context) throws Exception;

  /**
   * Prepares the transaction: when this returns, any other process can commit it holding nothing
   * but the handle (W2), every write has succeeded (W3), and no further write will come (W4).
   *
   * @return the handle, or empty if there is nothing to commit (W5); whatever {@link #begin}
   *     created must then be gone
   * @throws Exception if it cannot be prepared; the checkpoint fails
   */
  public abstract Optional<H> preCommit(T transaction) throws Exception;

  /**
   * Whether an interval without records is a transaction too, begun just before it is prepared. The
   * default is no (W5); yes where each checkpoint leaves a trace of every subtask.
   */
  public boolean coversEmptyIntervals() {
    return false;
  }

  /**
   * Told that no record will follow, before the last {@link #preCommit}. Does nothing by default.
   */
  public void endOfInput() {}

  /**
   * Told by the writer's thread that event time has advanced: no record up to there will follow,
   * late ones apart. Says the same as {@link WriteContext#currentWatermark}, also where no record
   * comes. Does nothing by default.
   *
   * @param timestamp in milliseconds; {@code Long.MAX_VALUE} when a bounded stream has ended
   */
  public void watermark(long timestamp) {}

  /**
   * Makes a prepared transaction visible, at once and for ever. Idempotent, in this process, in
   * another, and in two at the same time (C2). The outcome is established by evidence, never
   * guessed from an error code or from absence (C6).
   *
   * @return what is known of the transaction
   * @throws dev.twophase.error.CommitRefusedException if retrying cannot help
   * @throws Exception if the outcome is unknown; called again with the same handle (C7)
   */
  public abstract CommitOutcome commit(TransactionId id, H handle) throws Exception;

  /**
   * Commits transactions of different former subtasks; overridden where the resource can do it in
   * parallel or in one round trip. The default commits one after the other. Given more where {@link
   * #commitsInOrder} says so.
   *
   * @return the outcomes, in the order of the argument
   * @throws Exception if the outcome of at least one is unknown; all are committed again (C2)
   */
  public List<CommitOutcome> commitAll(List<PreparedTransaction<H>> transactions) throws Exception {
    List<CommitOutcome> outcomes = new ArrayList<>(transactions.size());
    for (PreparedTransaction<H> transaction : transactions) {
      outcomes.add(commit(transaction.id(), transaction.handle().orElseThrow()));
    }
    return outcomes;
  }

  /**
   * Whether {@link #commitAll} keeps the order by itself. It is then given all that is due, several
   * transactions of one subtask among them, in the order of their checkpoints, and upholds C3:
   * nothing is committed behind a transaction of its subtask that has failed or is lost. It may
   * return the outcomes of the first few only, at least one, and is called again with the rest if
   * those allow it. The default is no: the engine hands over one transaction per subtask at a time.
   */
  public boolean commitsInOrder() {
    return false;
  }

  /**
   * Whether a commit takes so long that records should be written meanwhile. Through Sink V2 the
   * committer then runs in a task of its own beside the writer's, and handles travel between the
   * two; a checkpoint still waits for the commit of the one before. Through the function, and by
   * default, commits run in the writer's thread.
   */
  public boolean commitsWhileWriting() {
    return false;
  }

  /**
   * Aborts the open transaction of this process, at best effort (E2). Must be harmless if it was
   * aborted before (A1).
   *
   * @throws Exception if it could not be aborted; it then counts as unfinished
   */
  public abstract void abort(T transaction) throws Exception;

  /**
   * Lists what exists in the resource under this sink's name and is not committed: open or
   * prepared, of any subtask and any attempt. The engine decides what of it is lingering (R2).
   * Return only transactions whose id names exactly this sink: those of {@code orders-eu} are none
   * of {@code orders}' business.
   *
   * @throws Exception if the list cannot be made; fails the task
   */
  public abstract Iterable<Unfinished> unfinished() throws Exception;

  /**
   * Aborts exactly this transaction and no other (A1). Idempotent; harmless if it has been
   * committed or is gone.
   *
   * @throws Exception if it could not be aborted; called again (C8)
   */
  public abstract void abort(Unfinished transaction) throws Exception;

  /**
   * A committed transaction of this sink that began at or after a checkpoint, if the resource can
   * tell: it proves that the job has been taken back to a point before something it published (R6).
   * So does, whatever its checkpoint, one of a {@link #line} that branched off before that
   * checkpoint was taken in {@link ConnectorContext#restoredLine}: numbers of two lines overlap.
   *
   * @param checkpointId the restored checkpoint; 0 if there is none
   * @return any one such transaction; empty if there is none or the resource cannot tell (the
   *     default), in which case a rewind goes unnoticed and the sink's documentation must say so
   * @throws dev.twophase.error.RewindDetectedException for a rewind that no policy may accept, such
   *     as one that would lose records
   * @throws Exception if the check cannot be made; fails the task
   */
  public Optional<TransactionId> committedSince(long checkpointId) throws Exception {
    return Optional.empty();
  }

  /**
   * The number, from 1, of the line of checkpoints that this writer is in: the history of one job
   * and its restarts, higher than that of every line before. Asked at each snapshot, after {@link
   * #preCommit}; the answer stands in the writer's state, and who is restored from it gets it as
   * {@link ConnectorContext#restoredLine}. It must be the same for all subtasks of a checkpoint,
   * and stay so over restarts from the line's own checkpoints. By it {@link #committedSince}
   * recognises checkpoints of an abandoned line whose numbers are higher than any of the line that
   * took its place (R6).
   *
   * @return empty (the default) if the resource numbers no lines
   */
  public OptionalLong line() {
    return OptionalLong.empty();
  }

  /**
   * What the resource has to offer whoever means to go back to a checkpoint although something was
   * committed since, as an imperative for the error's message; empty by default.
   *
   * @param checkpointId as in {@link #committedSince}
   */
  public Optional<String> rewindRemedy(long checkpointId) {
    return Optional.empty();
  }

  /**
   * How long a prepared transaction can wait for its commit before the resource gives it up, or
   * empty (the default) if it never does. Bounds retries (C8) and is checked against the checkpoint
   * interval at job start (E3).
   */
  public Optional<Duration> transactionLifetime() {
    return Optional.empty();
  }

  /**
   * What the job author calls {@link #transactionLifetime}, for messages: the setter that raises
   * it, where there is one.
   */
  public String transactionLifetimeSetting() {
    return "the transaction lifetime";
  }

  /**
   * The binary form of a handle (S1): explicit, versioned, no Java serialization. {@link
   * HandleSerializers} has ready ones.
   */
  public abstract SimpleVersionedSerializer<H> handleSerializer();

  /**
   * Releases clients. Neither commits nor aborts anything (E2): the engine has already aborted what
   * was open. An exception is logged and goes no further: Flink would answer it by shutting the
   * TaskManager down.
   */
  @Override
  public void close() throws Exception {}
}
