package dev.twophase.benchmarks.core;

import dev.twophase.flink.HardenedTwoPhaseCommitSinkFunction;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.base.VoidSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;

/** The same sink on the drop-in replacement of that function. */
public final class EmptyHardenedFunction
    extends HardenedTwoPhaseCommitSinkFunction<String, EmptyTransaction, Void> {

  private static final long serialVersionUID = 1L;

  public EmptyHardenedFunction() {
    super(
        new KryoSerializer<>(EmptyTransaction.class, new SerializerConfigImpl()),
        VoidSerializer.INSTANCE);
  }

  @Override
  protected void invoke(EmptyTransaction transaction, String value, Context context) {
    transaction.records++;
  }

  @Override
  protected EmptyTransaction beginTransaction() {
    return new EmptyTransaction();
  }

  @Override
  protected void preCommit(EmptyTransaction transaction) {}

  @Override
  protected void commit(EmptyTransaction transaction) {}

  @Override
  protected void abort(EmptyTransaction transaction) {}
}
