package dev.twophase.gallery.function;

import org.apache.flink.streaming.api.functions.sink.legacy.RichSinkFunction;

/** Where this Flink line keeps its sink function; the other line has a twin of this file. */
@SuppressWarnings("deprecation") // Flink has no other
abstract class LineSinkFunction<IN> extends RichSinkFunction<IN> {

  private static final long serialVersionUID = 1L;
}
