package dev.twophase.internal.flink;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;

/** What differs between Flink lines in Sink V2; this is the 1.20 side. */
public interface LineSink<IN> extends Sink<IN> {

  /**
   * Abstract in 1.20 only, and never called by its runtime, which uses the overload for {@code
   * WriterInitContext}.
   */
  @Override
  @Deprecated
  @SuppressWarnings("deprecation")
  default SinkWriter<IN> createWriter(Sink.InitContext context) {
    throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
  }

  /** The checkpoint that a committable belongs to. */
  static long checkpointOf(CommittableWithLineage<?> committable) {
    return committable.getCheckpointIdOrEOI();
  }
}
