package dev.twophase.benchmarks.file;

import dev.twophase.benchmarks.harness.CheckpointLoop;
import dev.twophase.benchmarks.job.Records;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Scratch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.jspecify.annotations.Nullable;

/** A sink of lines without a job. */
public final class SinkAlone implements Contender {

  static final String RATE = "records/s";

  static final long RECORDS_PER_CHECKPOINT = 1_000_000;
  static final long NANOS_PER_ROUND = 3_000_000_000L;

  private final String[] records = Records.make();
  private long recordsPerCheckpoint;
  private long nanosPerRound;
  private @Nullable FileSinkKind kind;
  private @Nullable Path directory;

  @Override
  public void open(String variant, Path working, double scale) {
    kind = FileSinkKind.valueOf(variant);
    directory = working;
    recordsPerCheckpoint = RunSettings.scaled(RECORDS_PER_CHECKPOINT, scale);
    nanosPerRound = RunSettings.scaled(NANOS_PER_ROUND, scale);
  }

  @Override
  public Measurement round() throws Exception {
    if (kind == null || directory == null) {
      throw new IllegalStateException("Not opened");
    }
    Path target = Files.createDirectories(directory.resolve("out"));
    var sink = kind.sink(target.toUri(), new BasePathBucketAssigner<>());
    CheckpointLoop loop = CheckpointLoop.run(sink, records, recordsPerCheckpoint, nanosPerRound);
    VisibleFiles.under(target).require(loop.records());
    Scratch.delete(target);
    return new Measurement(Map.of(RATE, loop.rate()));
  }

  @Override
  public void close() {}
}
