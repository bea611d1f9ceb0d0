package dev.twophase.internal.function;

import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.internal.flink.setup.JobSetup;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

/**
 * Refuses, when a sink function starts, a job that would abort everything it writes (E3). A
 * function is not asked when the job graph is built, so this is the first place that can tell.
 */
public final class RuntimeChecks {

  private RuntimeChecks() {}

  /**
   * Checks the job's settings.
   *
   * @throws SetupRefusedException naming setting, value and remedy
   */
  public static void refuseSilentLoss(String sink, RuntimeContext context) {
    if (!(context instanceof StreamingRuntimeContext streaming)) {
      return;
    }
    JobSetup setup = setup(streaming);
    if (setup.batch()) {
      throw new SetupRefusedException(
          sink,
          ExecutionOptions.RUNTIME_MODE.key(),
          "BATCH",
          "A sink function commits at checkpoints, of which there are none in BATCH mode: use"
              + " STREAMING, or the Sink V2 adapter TransactionalSink");
    }
    if (!setup.checkpointing()) {
      throw new SetupRefusedException(
          sink,
          CheckpointingOptions.CHECKPOINTING_INTERVAL.key(),
          "not set",
          "Without checkpoints nothing is ever committed: set it, or call enableCheckpointing");
    }
    if (!streaming
        .getJobConfiguration()
        .get(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH)) {
      throw new SetupRefusedException(
          sink,
          CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH.key(),
          "false",
          "What is written after the last checkpoint would be aborted at the end of input: set it"
              + " to true");
    }
    JobSetup.refuseReplayedRecords(
        sink,
        streaming.getJobConfiguration().get(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE));
  }

  /**
   * Checks that a prepared transaction outlives a checkpoint interval and a restart.
   *
   * @throws SetupRefusedException naming setting, value and remedy
   */
  public static void refuseShortLifetime(
      String sink,
      RuntimeContext context,
      SinkOptions options,
      TransactionalConnector<?, ?, ?> connector) {
    if (context instanceof StreamingRuntimeContext streaming) {
      setup(streaming).refuseShortLifetime(sink, connector, options);
    }
  }

  /** The job's settings as a running task sees them. */
  public static JobSetup setup(StreamingRuntimeContext context) {
    Duration interval =
        context
            .getJobConfiguration()
            .getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
            .orElse(Duration.ZERO);
    boolean batch = context.getJobType() == JobType.BATCH;
    return new JobSetup(batch, batch ? 0 : Math.max(0, interval.toMillis()));
  }
}
