package dev.twophase.gallery.function;

import dev.twophase.flink.HardenedTwoPhaseCommitSinkFunction;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.common.typeutils.base.VoidSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;

/** Correct: {@link TwoPhaseFunction} with the base class of this library instead of Flink's. */
public final class HardenedFunction
    extends HardenedTwoPhaseCommitSinkFunction<TestRecord, Txn, Void> {

  private static final long serialVersionUID = 1L;

  private final SinkSetup setup;

  @SuppressWarnings("NullAway.Init") // by initializeState
  private transient TxnStore store;

  public HardenedFunction(SinkSetup setup) {
    super(new TxnSerializer(), VoidSerializer.INSTANCE);
    this.setup = setup;
    setCommitTimeout(Duration.ZERO);
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    store = new TxnStore(setup, getRuntimeContext());
    super.initializeState(context);
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
