package dev.twophase.flink;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.functions.sink.SinkFunction;
import org.apache.flink.streaming.api.functions.sink.TwoPhaseCommitSinkFunction;

/** Where this Flink line keeps its base class; the other line has a twin of this file. */
@SuppressWarnings("deprecation") // Flink has no other sink function
abstract class FlinkTwoPhaseCommitSinkFunction<IN, TXN, CONTEXT>
    extends TwoPhaseCommitSinkFunction<IN, TXN, CONTEXT> {

  private static final long serialVersionUID = 1L;

  FlinkTwoPhaseCommitSinkFunction(
      TypeSerializer<TXN> transactionSerializer, TypeSerializer<CONTEXT> contextSerializer) {
    super(transactionSerializer, contextSerializer);
  }

  /**
   * What Flink runs in place of this function. A job needs no call: deserializing the function on
   * the cluster has the same effect. An operator test harness, which does not serialize, must be
   * given this.
   */
  public final SinkFunction<IN> hardened() {
    return runner();
  }

  abstract FlinkSinkFunction<IN> runner();
}
