package dev.twophase.flink;

import java.time.Duration;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.api.operators.StreamSink;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;

/** Flink's operator harness with the settings that a job with checkpoints has. */
final class FunctionHarness {

  static final int MAX_PARALLELISM = 8;

  private FunctionHarness() {}

  static Configuration checkpointing() {
    Configuration job = new Configuration();
    job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
    return job;
  }

  static OneInputStreamOperatorTestHarness<String, Object> of(StreamSink<String> sink)
      throws Exception {
    return of(sink, 1, 0);
  }

  static OneInputStreamOperatorTestHarness<String, Object> of(
      StreamSink<String> sink, int parallelism, int subtask) throws Exception {
    return of(sink, parallelism, subtask, checkpointing(), JobType.STREAMING);
  }

  static OneInputStreamOperatorTestHarness<String, Object> of(
      StreamSink<String> sink, int parallelism, int subtask, Configuration job, JobType type)
      throws Exception {
    return of(sink, parallelism, subtask, job, type, new WatchedMetrics());
  }

  static OneInputStreamOperatorTestHarness<String, Object> of(
      StreamSink<String> sink,
      int parallelism,
      int subtask,
      Configuration job,
      JobType type,
      WatchedMetrics metrics)
      throws Exception {
    MockEnvironment environment =
        new MockEnvironmentBuilder()
            .setMetricGroup(metrics)
            .setTaskName("sink")
            .setManagedMemorySize(3 * 1024 * 1024)
            .setBufferSize(1024)
            .setMaxParallelism(MAX_PARALLELISM)
            .setParallelism(parallelism)
            .setSubtaskIndex(subtask)
            .setJobType(type)
            .build();
    environment.getJobConfiguration().addAll(job);
    return new OneInputStreamOperatorTestHarness<>(sink, StringSerializer.INSTANCE, environment);
  }

  /** What subtask {@code subtask} of {@code to} gets of the states of all former subtasks. */
  static OperatorSubtaskState rescale(int to, int subtask, OperatorSubtaskState... former)
      throws Exception {
    return AbstractStreamOperatorTestHarness.repartitionOperatorState(
        AbstractStreamOperatorTestHarness.repackageState(former),
        MAX_PARALLELISM,
        former.length,
        to,
        subtask);
  }
}
