package dev.twophase.file.job;

import dev.twophase.file.TransactionalFileSink;
import java.net.URI;
import java.nio.file.Path;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.StateRecoveryOptions;

/** What {@link JobProcess} kills. It ends with the process that started it. */
final class KilledJob {

  static final long RECORDS = 12_000;

  private KilledJob() {}

  /**
   * Directory of the sink, directory of the checkpoints, pause after each number in nanoseconds,
   * and the checkpoint to restore, if any.
   */
  public static void main(String[] arguments) throws Exception {
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    Configuration configuration = new Configuration();
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, Path.of(arguments[1]).toUri().toString());
    configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    configuration.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    if (arguments.length > 3) {
      configuration.set(
          StateRecoveryOptions.SAVEPOINT_PATH, Path.of(arguments[3]).toUri().toString());
    }
    long pauseNanos = Long.parseLong(arguments[2]);
    URI directory = URI.create(arguments[0]);
    TransactionalFileSink<String> sink =
        directory.getScheme().equals("file")
            ? NumbersJob.sink(Path.of(directory))
            : NumbersJob.sink(directory);
    NumbersJob.of(configuration, sink, RECORDS, 7, pauseNanos).execute();
    // Flink's threads may outlive the job.
    Runtime.getRuntime().halt(0);
  }
}
