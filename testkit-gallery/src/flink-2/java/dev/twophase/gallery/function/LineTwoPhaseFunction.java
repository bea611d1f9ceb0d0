package dev.twophase.gallery.function;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction;

/** Where this Flink line keeps its two-phase function; the other line has a twin of this file. */
@SuppressWarnings("deprecation") // Flink has no other
abstract class LineTwoPhaseFunction<IN, TXN, CONTEXT>
    extends TwoPhaseCommitSinkFunction<IN, TXN, CONTEXT> {

  private static final long serialVersionUID = 1L;

  LineTwoPhaseFunction(TypeSerializer<TXN> transactions, TypeSerializer<CONTEXT> contexts) {
    super(transactions, contexts);
  }
}
