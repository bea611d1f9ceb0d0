package dev.twophase.benchmarks.jdbc;

import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The job without a database: what all jobs have in common. */
public final class SourceAlone implements Contender {

  private static final long ROWS = 10_000_000;

  private long rows;

  @Override
  public void open(String variant, Path directory, double scale) {
    rows = RunSettings.scaled(ROWS, scale);
  }

  @Override
  public Measurement round() throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
    environment.getConfig().enableObjectReuse();
    EntryFeed.rows(environment, rows).sinkTo(new DiscardingSink<>());
    JobExecutionResult result = environment.execute("source alone");
    long first = result.<Long>getAccumulatorResult(EntryFeed.FIRST_AT);
    long last = result.<Long>getAccumulatorResult(EntryFeed.LAST_AT);
    return new Measurement(Map.of(JdbcJob.RATE, rows * 1e9 / (last - first)));
  }

  @Override
  public void close() {}
}
