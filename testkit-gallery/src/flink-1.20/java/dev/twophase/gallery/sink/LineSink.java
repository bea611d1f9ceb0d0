package dev.twophase.gallery.sink;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;

/** What differs between Flink lines in Sink V2; the other line has a twin of this file. */
interface LineSink<IN> extends Sink<IN> {

  /** Abstract in 1.20 only, whose runtime calls the overload for {@code WriterInitContext}. */
  @Override
  @Deprecated
  @SuppressWarnings("deprecation")
  default SinkWriter<IN> createWriter(Sink.InitContext context) {
    throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
  }
}
