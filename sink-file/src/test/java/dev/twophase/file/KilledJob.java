package dev.twophase.file;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** What {@link KillTest} kills. It ends with the process that started it. */
final class KilledJob {

  static final long RECORDS = 30_000;

  private KilledJob() {}

  /** Directory of the sink, directory of the checkpoints, and the one to restore, if any. */
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
    if (arguments.length > 2) {
      configuration.set(
          StateRecoveryOptions.SAVEPOINT_PATH, Path.of(arguments[2]).toUri().toString());
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(2);
    environment.enableCheckpointing(50);
    environment
        .fromSequence(1, RECORDS)
        .setParallelism(1)
        .uid("numbers")
        .map(
            number -> {
              LockSupport.parkNanos(30_000);
              return number % 7 + ":" + number;
            })
        .returns(Types.STRING)
        .setParallelism(1)
        .rebalance()
        .sinkTo(
            TransactionalFileSink.forLines(Path.of(arguments[0]))
                .name("orders")
                .bucketAssigner(new Sinks.BeforeColon())
                .buildSink())
        .uid("sink");
    environment.execute();
    // Flink's threads may outlive the job.
    Runtime.getRuntime().halt(0);
  }
}
