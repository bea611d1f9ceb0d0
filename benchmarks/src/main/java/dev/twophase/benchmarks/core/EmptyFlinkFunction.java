package dev.twophase.benchmarks.core;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.base.VoidSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction;

/** The same sink on Flink's own two-phase commit function. */
@SuppressWarnings("deprecation") // it is what people have; Flink offers no other
public final class EmptyFlinkFunction
    extends TwoPhaseCommitSinkFunction<String, EmptyTransaction, Void> {

  private static final long serialVersionUID = 1L;

  public EmptyFlinkFunction() {
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
