package dev.twophase.benchmarks.file;

import dev.twophase.file.TransactionalFileSink;
import java.net.URI;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/**
 * The file sinks compared. Both write lines, and both publish everything at every checkpoint:
 * FileSink's default policy would leave records invisible for up to a minute, and asks the file
 * system for its position at every record.
 */
public enum FileSinkKind {
  TWOPHASE {
    @Override
    public Sink<String> sink(URI directory, BucketAssigner<String, String> buckets) {
      return TransactionalFileSink.forLines(directory)
          .name("benchmark")
          .bucketAssigner(buckets)
          .buildSink();
    }
  },
  FLINK {
    @Override
    public Sink<String> sink(URI directory, BucketAssigner<String, String> buckets) {
      return FileSink.forRowFormat(
              new org.apache.flink.core.fs.Path(directory),
              new SimpleStringEncoder<String>("UTF-8"))
          .withBucketAssigner(buckets)
          .withRollingPolicy(OnCheckpointRollingPolicy.build())
          .build();
    }
  };

  /** A sink for lines into buckets below this directory. */
  public abstract Sink<String> sink(URI directory, BucketAssigner<String, String> buckets);
}
