package dev.twophase.jdbc.job;

import dev.twophase.jdbc.CommitMode;
import dev.twophase.jdbc.Sinks;
import java.nio.file.Path;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.RestartStrategyOptions;

/** The main class of a JVM that runs a job until it is killed. */
final class KilledJob {

  static final long RECORDS = 20_000;

  private KilledJob() {}

  /**
   * Called with the database's address and user, the sink's mode, the directory of checkpoints, up
   * to which order to be quick, and the checkpoint to restore, if any.
   */
  public static void main(String[] arguments) throws Exception {
    Pace.quickUpTo(Long.parseLong(arguments[4]));
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, Path.of(arguments[3]).toUri().toString());
    configuration.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    OrdersJob.start(
            configuration,
            2,
            arguments.length > 5 ? Path.of(arguments[5]) : null,
            RECORDS,
            Pace::order,
            Sinks.orders(arguments[0], arguments[1]).mode(CommitMode.valueOf(arguments[2])))
        .getJobExecutionResult()
        .get();
  }
}
