package dev.twophase.testkit.internal.operator;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;

/** A sink, with those methods implemented that only one Flink line has. */
interface LineSinkV2<IN> extends Sink<IN> {

  /** Flink 1.20 demands it and calls the other overload. */
  @Override
  @Deprecated
  default SinkWriter<IN> createWriter(Sink.InitContext context) {
    throw new UnsupportedOperationException();
  }
}
