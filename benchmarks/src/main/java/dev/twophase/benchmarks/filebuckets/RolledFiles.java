package dev.twophase.benchmarks.filebuckets;

import dev.twophase.benchmarks.job.Records;
import dev.twophase.file.TransactionalFileSink;
import java.net.URI;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.PartFileInfo;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.CheckpointRollingPolicy;

/**
 * Sinks that close a file after so many records. Ours does so with the last of them, FileSink with
 * the next one of the bucket, for it asks its policy before it writes.
 */
enum RolledFiles {
  TWOPHASE {
    @Override
    Sink<String> sink(URI directory, BucketAssigner<String, String> buckets) {
      return TransactionalFileSink.forLines(directory)
          .name("benchmark")
          .bucketAssigner(buckets)
          .rollAtRecords(BucketCounts.RECORDS_PER_FILE)
          .buildSink();
    }
  },
  FLINK {
    @Override
    Sink<String> sink(URI directory, BucketAssigner<String, String> buckets) {
      return FileSink.forRowFormat(
              new org.apache.flink.core.fs.Path(directory),
              new SimpleStringEncoder<String>("UTF-8"))
          .withBucketAssigner(buckets)
          .withRollingPolicy(new AfterSoManyRecords())
          .build();
    }
  };

  abstract Sink<String> sink(URI directory, BucketAssigner<String, String> buckets);

  /** All records have the same length. */
  private static final class AfterSoManyRecords extends CheckpointRollingPolicy<String, String> {

    private static final long serialVersionUID = 1L;

    private static final long BYTES = BucketCounts.RECORDS_PER_FILE * (Records.BYTES + 1L);

    @Override
    public boolean shouldRollOnEvent(PartFileInfo<String> file, String element)
        throws java.io.IOException {
      return file.getSize() >= BYTES;
    }

    @Override
    public boolean shouldRollOnProcessingTime(PartFileInfo<String> file, long currentTime) {
      return false;
    }
  }
}
