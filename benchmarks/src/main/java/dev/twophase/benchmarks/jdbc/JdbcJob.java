package dev.twophase.benchmarks.jdbc;

import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * A whole job of parallelism 1 with a checkpoint every second, to files. Each round runs for about
 * the same time on all sides.
 */
public final class JdbcJob implements Contender {

  static final String RATE = "visible-rows/s";
  static final String COMMIT = "barrier-to-visible-ms";
  static final String CHECKPOINT = "checkpoint-ms";

  private static final long CHECKPOINT_MILLIS = 1000;
  private static final long ROWS_AT_FIRST = 1_500_000;
  private static final double SECONDS_PER_ROUND = 9;

  private double scale;
  private long rows;
  private @Nullable JdbcSinkKind kind;
  private @Nullable Database database;
  private @Nullable Path directory;

  @Override
  public void open(String variant, Path working, double factor) throws Exception {
    kind = JdbcSinkKind.valueOf(variant);
    database = kind.start();
    directory = working;
    scale = factor;
    rows = RunSettings.scaled(ROWS_AT_FIRST, scale);
  }

  @Override
  public Measurement round() throws Exception {
    if (kind == null || database == null || directory == null) {
      throw new IllegalStateException("Not opened");
    }
    database.createTable();
    Configuration configuration = new Configuration();
    configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.resolve("state").toUri().toString());
    CheckpointTimes.watch(configuration);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
    environment.enableCheckpointing(CHECKPOINT_MILLIS);
    environment.getConfig().enableObjectReuse();
    EntryFeed.rows(environment, rows).sinkTo(kind.sink(database)).uid("sink");
    JobExecutionResult result;
    VisibleRows seen;
    try (VisibleRows observer = VisibleRows.of(database)) {
      seen = observer;
      result = environment.execute("benchmark");
    }
    database.require(rows);
    database.leaveNothingToDo();
    List<Long> passages = result.getAccumulatorResult(EntryFeed.PASSAGES);
    long first = result.<Long>getAccumulatorResult(EntryFeed.FIRST_AT);
    long last = result.<Long>getAccumulatorResult(EntryFeed.LAST_AT);
    double rate = seen.rate(first, last);
    rows = RunSettings.scaled((long) (rate * SECONDS_PER_ROUND), scale);
    return new Measurement(
        Map.of(
            RATE,
            rate,
            COMMIT,
            seen.millisUntilVisible(passages),
            CHECKPOINT,
            CheckpointTimes.meanMillis()));
  }

  @Override
  public void close() throws Exception {
    if (database != null) {
      database.close();
    }
  }
}
