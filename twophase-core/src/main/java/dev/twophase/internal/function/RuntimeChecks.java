package dev.twophase.internal.function;

import dev.twophase.error.SetupRefusedException;
import java.time.Duration;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.runtime.execution.SuppressRestartsException;
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
   * @throws SuppressRestartsException caused by a {@link SetupRefusedException} that names setting,
   *     value and remedy: a restart would meet the same settings
   */
  public static void refuseSilentLoss(String sink, RuntimeContext context) {
    if (!(context instanceof StreamingRuntimeContext streaming)) {
      return;
    }
    if (streaming.getJobType() == JobType.BATCH) {
      throw refuse(
          sink,
          ExecutionOptions.RUNTIME_MODE.key(),
          "BATCH",
          "A sink function commits at checkpoints, of which there are none in BATCH mode: use"
              + " STREAMING, or the Sink V2 adapter TransactionalSink");
    }
    Configuration job = streaming.getJobConfiguration();
    Duration interval =
        job.getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL).orElse(Duration.ZERO);
    if (interval.isZero() || interval.isNegative()) {
      throw refuse(
          sink,
          CheckpointingOptions.CHECKPOINTING_INTERVAL.key(),
          "not set",
          "Without checkpoints nothing is ever committed: set it, or call enableCheckpointing");
    }
    if (!job.get(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH)) {
      throw refuse(
          sink,
          CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH.key(),
          "false",
          "What is written after the last checkpoint would be aborted at the end of input: set it"
              + " to true");
    }
  }

  private static SuppressRestartsException refuse(
      String sink, String setting, String value, String remedy) {
    return new SuppressRestartsException(new SetupRefusedException(sink, setting, value, remedy));
  }
}
