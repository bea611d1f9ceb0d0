package dev.twophase.internal.function;

import dev.twophase.PreparedTransaction;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.error.UnreadableStateException;
import dev.twophase.internal.state.PreparedListSerializer;
import dev.twophase.internal.state.WriterState;
import dev.twophase.internal.state.WriterStateSerializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;

/**
 * The state of a {@code TransactionalSinkFunction}: bytes of its own making only, so that it can be
 * read on every Flink line (S1). Whose state it is stands under the name that Sink V2's writer uses
 * for its own, so that either adapter finds out when it is given the other's (S5).
 */
public final class FunctionState<H> {

  private static final ListStateDescriptor<byte[]> PREPARED =
      new ListStateDescriptor<>(
          "twophase_prepared_transactions", BytePrimitiveArraySerializer.INSTANCE);

  private static final ListStateDescriptor<byte[]> OWNER =
      new ListStateDescriptor<>("writer_raw_states", BytePrimitiveArraySerializer.INSTANCE);

  private static final WriterStateSerializer OWNERS = new WriterStateSerializer();

  private final ListState<byte[]> prepared;
  private final ListState<byte[]> owner;
  private final WriterState self;
  private final PreparedListSerializer<H> serializer;
  private final List<PreparedTransaction<H>> restored = new ArrayList<>();
  private OptionalLong restoredLine = OptionalLong.empty();

  private FunctionState(
      ListState<byte[]> prepared,
      ListState<byte[]> owner,
      WriterState self,
      PreparedListSerializer<H> serializer) {
    this.prepared = prepared;
    this.owner = owner;
    this.self = self;
    this.serializer = serializer;
  }

  /**
   * Registers the state and reads what was restored, all of it before anything is done (S4).
   *
   * @throws SetupRefusedException if it is not this sink's
   * @throws UnreadableStateException if it cannot be read
   */
  public static <H> FunctionState<H> open(
      FunctionInitializationContext context,
      String sinkName,
      SimpleVersionedSerializer<H> handleSerializer)
      throws Exception {
    OperatorStateStore store = context.getOperatorStateStore();
    if (context.isRestored()) {
      refuseForeign(store, sinkName);
    }
    FunctionState<H> state =
        new FunctionState<>(
            store.getListState(PREPARED),
            store.getListState(OWNER),
            new WriterState(WriterState.Kind.FUNCTION, sinkName),
            new PreparedListSerializer<>(handleSerializer));
    if (context.isRestored()) {
      state.read();
    }
    return state;
  }

  /** Flink would drop what nobody registers, without a word, and with it what is prepared. */
  private static void refuseForeign(OperatorStateStore store, String sinkName) {
    Set<String> foreign = new TreeSet<>(store.getRegisteredStateNames());
    foreign.removeAll(Set.of(PREPARED.getName(), OWNER.getName()));
    if (!foreign.isEmpty()) {
      throw new SetupRefusedException(
          sinkName,
          "the restored state",
          "another operator's: it holds " + foreign,
          "A TransactionalSinkFunction cannot read it. Stop the job with a savepoint, check that"
              + " nothing is uncommitted, and give this sink a new uid");
    }
  }

  private void read() throws Exception {
    List<OptionalLong> lines = new ArrayList<>();
    for (byte[] bytes : owner.get()) {
      WriterState each = read(OWNERS, bytes);
      each.checkRestoredBy(self.kind(), self.sinkName());
      lines.add(each.line());
    }
    restoredLine = WriterState.newestLine(lines.stream());
    for (byte[] bytes : prepared.get()) {
      restored.addAll(read(serializer, bytes));
    }
  }

  private <T> T read(SimpleVersionedSerializer<T> with, byte[] bytes)
      throws UnreadableStateException {
    try {
      return SimpleVersionedSerialization.readVersionAndDeSerialize(with, bytes);
    } catch (UnreadableStateException named) {
      throw named;
    } catch (IOException | RuntimeException damaged) {
      throw new UnreadableStateException(
          "State of sink '"
              + self.sinkName()
              + "' cannot be read from its "
              + bytes.length
              + " bytes; nothing was committed or aborted. Restore from another checkpoint",
          damaged);
    }
  }

  /** What was prepared and may or may not have been committed before the restart. */
  public List<PreparedTransaction<H>> restored() {
    return List.copyOf(restored);
  }

  /** The line that was restored; empty if it is unknown. */
  public OptionalLong restoredLine() {
    return restoredLine;
  }

  /** Replaces what the next checkpoint holds. */
  public void write(Collection<PreparedTransaction<H>> pending, OptionalLong line)
      throws Exception {
    owner.update(
        List.of(SimpleVersionedSerialization.writeVersionAndSerialize(OWNERS, self.ofLine(line))));
    prepared.update(
        pending.isEmpty()
            ? List.of()
            : List.of(
                SimpleVersionedSerialization.writeVersionAndSerialize(
                    serializer, List.copyOf(pending))));
  }

  /** Number of bytes that a transaction takes in state. */
  public long sizeOf(PreparedTransaction<H> transaction) throws Exception {
    return serializer.serialize(List.of(transaction)).length;
  }
}
