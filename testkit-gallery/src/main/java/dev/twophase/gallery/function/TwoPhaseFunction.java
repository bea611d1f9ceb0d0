package dev.twophase.gallery.function;

import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.VoidSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;

/**
 * Correct, as far as its base class lets it: Flink's own {@code TwoPhaseCommitSinkFunction}, filled
 * in. Records wait in a buffer for the barrier. What a crashed attempt leaves behind, the store
 * must time out.
 */
public class TwoPhaseFunction extends LineTwoPhaseFunction<TestRecord, Txn, Void> {

  private static final long serialVersionUID = 1L;

  private final SinkSetup setup;

  @SuppressWarnings("NullAway.Init") // by initializeState
  private transient TxnStore store;

  public TwoPhaseFunction(SinkSetup setup) {
    this(setup, new TxnSerializer());
  }

  TwoPhaseFunction(SinkSetup setup, TypeSerializer<Txn> transactions) {
    super(transactions, VoidSerializer.INSTANCE);
    this.setup = setup;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    store = store(setup);
    super.initializeState(context);
  }

  TxnStore store(SinkSetup of) {
    return new TxnStore(of, getRuntimeContext());
  }

  /** What {@link #initializeState} made. */
  final TxnStore store() {
    return store;
  }

  @Override
  protected Txn beginTransaction() {
    return store.begin();
  }

  @Override
  protected void invoke(Txn transaction, TestRecord value, Context context) {
    transaction.buffer.add(value);
  }

  @Override
  protected void preCommit(Txn transaction) throws IOException {
    store.seal(transaction);
  }

  @Override
  protected void commit(Txn transaction) {
    store.commit(transaction);
  }

  @Override
  protected void abort(Txn transaction) {
    store.abort(transaction);
  }
}
