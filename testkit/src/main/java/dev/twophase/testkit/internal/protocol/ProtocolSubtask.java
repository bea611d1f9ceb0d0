package dev.twophase.testkit.internal.protocol;

import dev.twophase.ConnectorContext.Role;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionalConnector;
import dev.twophase.WriteContext;
import dev.twophase.internal.engine.Attempt;
import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.ProtocolListener;
import dev.twophase.internal.engine.WriterEngine;
import dev.twophase.internal.state.PreparedTransactionSerializer;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.faults.FaultyConnector;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.OpenedContext;
import dev.twophase.testkit.internal.tier.Subtask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.SimpleCounter;
import org.jspecify.annotations.Nullable;

/** One attempt: what both adapters do with the engine, in the order in which Flink makes them. */
final class ProtocolSubtask<IN, T, H> implements Subtask<ProtocolState>, WriteContext {

  /** A transaction that waits for its commit, with its bytes, which never change. */
  private static final class Pending<H> {
    final PreparedTransaction<H> transaction;
    final byte[] bytes;

    Pending(PreparedTransaction<H> transaction, byte[] bytes) {
      this.transaction = transaction;
      this.bytes = bytes;
    }
  }

  private final ProtocolTier<IN, T, H> tier;
  private final CallGate gate;
  private final TransactionalConnector<IN, T, H> writing;
  private final TransactionalConnector<IN, T, H> committing;
  private final WriterEngine<IN, T, H> writer;
  private final CommitEngine<H> committer;
  private final PreparedTransactionSerializer<H> serializer;
  private final List<Pending<H>> pending = new ArrayList<>();

  private ProtocolSubtask(
      ProtocolTier<IN, T, H> tier, AttemptSpec<ProtocolState> spec, UUID nonce) {
    this.tier = tier;
    this.gate = Objects.requireNonNull(CallGate.current(), "no attempt is bound to this thread");
    Callable<TransactionalConnector<IN, T, H>> connectors = tier.newAttempt();
    this.committing = new FaultyConnector<>(ProtocolTier.newConnector(connectors));
    this.writing = new FaultyConnector<>(ProtocolTier.newConnector(connectors));
    this.serializer = new PreparedTransactionSerializer<>(writing.handleSerializer());
    this.committer =
        new CommitEngine<>(
            committing, tier.options(), tier.clock(), () -> 0.5, ProtocolListener.NONE);
    Attempt attempt =
        new Attempt(
            tier.sinkName(),
            spec.subtask(),
            spec.parallelism(),
            nonce,
            spec.restoredCheckpoint().orElse(0));
    this.writer = new WriterEngine<>(writing, attempt, tier.clock(), ProtocolListener.NONE);
  }

  static <IN, T, H> ProtocolSubtask<IN, T, H> start(
      ProtocolTier<IN, T, H> tier, AttemptSpec<ProtocolState> spec) throws Exception {
    // The same in each run, and not that of a neighbour: other sinks never share a nonce.
    long sinkAndSubtask = ((long) tier.sinkName().hashCode() << Integer.SIZE) + spec.subtask();
    UUID nonce = new UUID(0x2f70686173650000L + spec.attempt(), sinkAndSubtask);
    ProtocolSubtask<IN, T, H> subtask = new ProtocolSubtask<>(tier, spec, nonce);
    try {
      subtask.committing.open(subtask.context(Role.COMMITTER, spec, nonce));
      subtask.restore(spec.state());
      OpenedContext context = subtask.context(Role.WRITER, spec, nonce);
      subtask.writing.open(context);
      subtask.writing.preflight(context);
      subtask.writer.checkRewind(tier.options().rewindPolicy());
      return subtask;
    } catch (Throwable error) {
      if (!subtask.gate.severed()) {
        subtask.closeAfter(error);
      }
      throw error;
    }
  }

  private OpenedContext context(Role role, AttemptSpec<ProtocolState> spec, UUID nonce) {
    ProtocolState state = spec.state();
    return new OpenedContext(
        role,
        tier.sinkName(),
        spec.subtask(),
        spec.parallelism(),
        Optional.empty(),
        state == null || role != Role.WRITER ? OptionalLong.empty() : state.line(),
        nonce,
        new SimpleCounter(),
        false,
        tier.options());
  }

  private void restore(@Nullable ProtocolState state) throws Exception {
    if (state == null || state.prepared().isEmpty()) {
      return;
    }
    boolean withhold = gate.enter("restore");
    for (byte[] bytes : state.prepared()) {
      pending.add(new Pending<>(serializer.deserialize(serializer.getVersion(), bytes), bytes));
    }
    if (withhold) {
      throw gate.withheld("restore");
    }
    commitUpTo(Long.MAX_VALUE);
  }

  private void commitUpTo(long checkpointId) throws Exception {
    List<PreparedTransaction<H>> due = new ArrayList<>(pending.size());
    for (Pending<H> each : pending) {
      if (each.transaction.checkpointId() <= checkpointId) {
        due.add(each.transaction);
      }
    }
    if (!due.isEmpty()) {
      committer.commit(
          due,
          (transaction, settlement) ->
              pending.removeIf(each -> each.transaction.id().equals(transaction.id())));
    }
  }

  @Override
  public void input(TestRecord record) throws Exception {
    writer.write(tier.input(record), this);
  }

  @Override
  public ProtocolState snapshot(long checkpointId) throws Exception {
    PreparedTransaction<H> prepared = writer.prepare().orElse(null);
    writer.snapshotTaken(checkpointId);
    if (prepared != null) {
      PreparedTransaction<H> stamped = prepared.stamped(checkpointId);
      boolean withhold = gate.enter("serialize");
      pending.add(new Pending<>(stamped, serializer.serialize(stamped)));
      if (withhold) {
        throw gate.withheld("serialize");
      }
    }
    if (tier.options().guarantee() != DeliveryGuarantee.EXACTLY_ONCE) {
      commitUpTo(checkpointId);
    }
    List<byte[]> bytes = new ArrayList<>(pending.size());
    for (Pending<H> each : pending) {
      bytes.add(each.bytes);
    }
    return new ProtocolState(bytes, writing.line());
  }

  @Override
  public void notifyComplete(long checkpointId) throws Exception {
    commitUpTo(checkpointId);
  }

  @Override
  public void notifyAborted(long checkpointId) {}

  @Override
  public void endOfInput() {
    writer.watermark(Long.MAX_VALUE);
    writer.endOfInput();
  }

  @Override
  public void advanceClock(long processingTime) {
    tier.clock().advanceTo(processingTime);
  }

  @Override
  public void close() throws Exception {
    writer.abortOpen();
    try {
      writing.close();
    } finally {
      committing.close();
    }
  }

  private void closeAfter(Throwable error) {
    try {
      close();
    } catch (Exception closing) {
      error.addSuppressed(closing);
    }
  }

  @Override
  public void drop() {}

  @Override
  public @Nullable Long timestamp() {
    return null;
  }

  @Override
  public long currentWatermark() {
    return Long.MIN_VALUE;
  }

  @Override
  public long currentProcessingTime() {
    return tier.clock().millis();
  }
}
