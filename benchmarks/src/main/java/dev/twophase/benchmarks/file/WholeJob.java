package dev.twophase.benchmarks.file;

import dev.twophase.benchmarks.job.Records;
import dev.twophase.benchmarks.job.VisibleRate;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Scratch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.jspecify.annotations.Nullable;

/**
 * A whole job of parallelism 1 with a checkpoint every second. Each round runs for about the same
 * time on both sides: the number of records follows from the rate of the round before.
 */
public final class WholeJob implements Contender {

  static final String RATE = "visible-records/s";

  private static final long CHECKPOINT_MILLIS = 1000;
  private static final long RECORDS_AT_FIRST = 3_000_000;
  private static final double SECONDS_PER_ROUND = 4.5;

  private final String[] strings = Records.make();
  private double scale;
  private long records;
  private @Nullable FileSinkKind kind;
  private @Nullable Path directory;

  @Override
  public void open(String variant, Path working, double factor) {
    kind = FileSinkKind.valueOf(variant);
    directory = working;
    scale = factor;
    records = RunSettings.scaled(RECORDS_AT_FIRST, scale);
  }

  @Override
  public Measurement round() throws Exception {
    if (kind == null || directory == null) {
      throw new IllegalStateException("Not opened");
    }
    Path target = Files.createDirectories(directory.resolve("out"));
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1);
    environment.enableCheckpointing(CHECKPOINT_MILLIS);
    environment.getConfig().enableObjectReuse();
    environment
        .fromSequence(0, records - 1)
        .map(new VisibleRate<>(Records.picking(strings), records))
        .returns(Types.STRING)
        .sinkTo(kind.sink(target.toUri(), new BasePathBucketAssigner<>()))
        .uid("sink");
    JobExecutionResult result = environment.execute("benchmark");
    VisibleFiles.under(target).require(records);
    Scratch.delete(target);
    long visible = result.<Long>getAccumulatorResult(VisibleRate.RECORDS);
    long nanos = result.<Long>getAccumulatorResult(VisibleRate.NANOS);
    double seconds = result.<Long>getAccumulatorResult(VisibleRate.ALL_NANOS) / 1e9;
    double rate = visible * 1e9 / nanos;
    records = RunSettings.scaled((long) (records / seconds * SECONDS_PER_ROUND), scale);
    return new Measurement(Map.of(RATE, rate));
  }

  @Override
  public void close() {}
}
