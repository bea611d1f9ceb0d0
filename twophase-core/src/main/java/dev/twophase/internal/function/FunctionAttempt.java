package dev.twophase.internal.function;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionalConnector;
import dev.twophase.WriteContext;
import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.WriterEngine;
import dev.twophase.internal.flink.ConnectorInstance;
import dev.twophase.internal.flink.ImmediateCommits;
import dev.twophase.internal.flink.PendingTransactions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one subtask of a {@code TransactionalSinkFunction}: both halves of the engine, and
 * what is prepared in between. All methods are called by the task's thread.
 */
public final class FunctionAttempt<IN, T, H> implements AutoCloseable {

  /** The parts that {@link FunctionStart} has put together. */
  record Parts<IN, T, H>(
      String sinkName,
      TransactionalConnector<IN, T, H> writing,
      TransactionalConnector<IN, T, H> committing,
      WriterEngine<IN, T, H> writer,
      CommitEngine<H> commits,
      @Nullable ImmediateCommits<IN, T, H> immediate,
      FunctionState<H> state,
      PendingTransactions counted,
      AutoCloseable name,
      Counter recordsSent,
      Counter sendErrors) {}

  private final Parts<IN, T, H> parts;
  private final WriterEngine<IN, T, H> writer;
  private final Counter recordsSent;
  private final Deque<PreparedTransaction<H>> pending = new ArrayDeque<>();
  private @Nullable Throwable firstFailure;

  FunctionAttempt(Parts<IN, T, H> parts) {
    this.parts = parts;
    this.writer = parts.writer();
    this.recordsSent = parts.recordsSent();
  }

  /** Writes one record (W1). */
  public void write(IN record, WriteContext context) throws Exception {
    try {
      writer.write(record, context);
    } catch (Throwable error) {
      parts.sendErrors().inc();
      throw error;
    }
    recordsSent.inc();
  }

  /** Passes on that event time has advanced. */
  public void watermark(long timestamp) {
    writer.watermark(timestamp);
  }

  /** Prepares what is open and puts all that is prepared into this checkpoint. */
  public void snapshot(long checkpointId) throws Exception {
    refuseAfterFailure();
    ImmediateCommits<IN, T, H> immediate = parts.immediate();
    if (immediate != null) {
      immediate.flush(false);
    } else {
      Optional<PreparedTransaction<H>> prepared = writer.prepare();
      if (prepared.isPresent()) {
        PreparedTransaction<H> stamped = prepared.get().stamped(checkpointId);
        parts.counted().add(stamped, checkpointId, parts.state().sizeOf(stamped));
        pending.add(stamped);
      }
      writer.snapshotTaken(checkpointId);
    }
    parts.state().write(pending, parts.writing().line());
  }

  /** Commits everything prepared up to this checkpoint, in order, until one fails (C3, C4). */
  public void completed(long checkpointId) throws Exception {
    refuseAfterFailure();
    List<PreparedTransaction<H>> due = new ArrayList<>();
    for (PreparedTransaction<H> transaction : pending) {
      if (transaction.checkpointId() <= checkpointId) {
        due.add(transaction);
      }
    }
    if (due.isEmpty()) {
      return;
    }
    try {
      parts.commits().commit(due, (transaction, settlement) -> {});
    } catch (Throwable failure) {
      firstFailure = failure;
      throw failure;
    }
    due.forEach(transaction -> pending.remove());
    parts.counted().completed(checkpointId);
  }

  /** Called at the end of input; under EXACTLY_ONCE the final checkpoint does what is left (E1). */
  public void finish() throws Exception {
    writer.endOfInput();
    ImmediateCommits<IN, T, H> immediate = parts.immediate();
    if (immediate != null) {
      immediate.flush(true);
    }
  }

  private void refuseAfterFailure() {
    Throwable failure = firstFailure;
    if (failure != null) {
      throw new IllegalStateException(
          "Sink '"
              + parts.sinkName()
              + "' had a failed commit; nothing can be prepared or committed until the task"
              + " restarts",
          failure);
    }
  }

  /** Aborts what is open and nothing else (E2). */
  @Override
  public void close() {
    writer.abortOpen();
    ConnectorInstance.closeQuietly(parts.sinkName(), parts.writing());
    ImmediateCommits<IN, T, H> immediate = parts.immediate();
    ConnectorInstance.closeQuietly(
        parts.sinkName(), immediate != null ? immediate : parts.committing());
    ConnectorInstance.closeQuietly(parts.sinkName(), parts.name());
  }
}
