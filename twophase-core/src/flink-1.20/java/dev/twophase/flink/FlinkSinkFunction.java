package dev.twophase.flink;

import org.apache.flink.streaming.api.functions.sink.RichSinkFunction;

/** Where this Flink line keeps its sink function; the other line has a twin of this file. */
@SuppressWarnings("deprecation") // Flink has no other sink function
abstract class FlinkSinkFunction<IN> extends RichSinkFunction<IN> {

  private static final long serialVersionUID = 1L;
}
