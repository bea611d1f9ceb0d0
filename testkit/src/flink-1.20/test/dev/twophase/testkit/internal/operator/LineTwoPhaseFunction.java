package dev.twophase.testkit.internal.operator;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.functions.sink.TwoPhaseCommitSinkFunction;

/** Names Flink's own two-phase function, whose package depends on the line. */
@SuppressWarnings("deprecation")
abstract class LineTwoPhaseFunction<IN, TXN, CONTEXT>
    extends TwoPhaseCommitSinkFunction<IN, TXN, CONTEXT> {

  LineTwoPhaseFunction(TypeSerializer<TXN> transactions, TypeSerializer<CONTEXT> contexts) {
    super(transactions, contexts);
  }
}
