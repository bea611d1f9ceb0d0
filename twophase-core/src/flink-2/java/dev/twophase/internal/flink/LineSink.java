package dev.twophase.internal.flink;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;

/** What differs between Flink lines in Sink V2; this is the 2.x side. */
public interface LineSink<IN> extends Sink<IN> {

  /** The checkpoint that a committable belongs to. */
  static long checkpointOf(CommittableWithLineage<?> committable) {
    return committable.getCheckpointId();
  }
}
