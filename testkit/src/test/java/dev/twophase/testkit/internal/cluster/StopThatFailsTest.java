package dev.twophase.testkit.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Flink restores when a task fails as it is told of the savepoint with which its job stops.
 */
class StopThatFailsTest {

  private static final Queue<String> JOURNAL = new ConcurrentLinkedQueue<>();
  private static final AtomicBoolean STOPS = new AtomicBoolean();

  /** Of which checkpoint the task was told as it failed. */
  private static final AtomicLong TOLD = new AtomicLong();

  @TempDir Path directory;

  /** Fails when it is told of the savepoint. */
  private static final class FailsWhenTold extends RichMapFunction<Long, Long>
      implements CheckpointedFunction, CheckpointListener {
    private static final long serialVersionUID = 1L;

    @Override
    public Long map(Long value) {
      return value;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {
      JOURNAL.add("restored " + context.getRestoredCheckpointId());
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
      JOURNAL.add("snapshot " + context.getCheckpointId());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      JOURNAL.add("told " + checkpointId);
      if (STOPS.getAndSet(false)) {
        TOLD.set(checkpointId);
        throw new IllegalStateException("fails when told of the savepoint");
      }
    }
  }

  @Test
  @Tag("nightly")
  @Timeout(60)
  void theJobGoesOnFromTheSavepoint() throws Exception {
    Configuration settings = new Configuration();
    settings.setString("restart-strategy.type", "fixed-delay");
    settings.setString("restart-strategy.fixed-delay.attempts", "3");
    settings.setString("restart-strategy.fixed-delay.delay", "1 ms");
    settings.setString("rest.port", "0");
    MiniClusterConfiguration cluster =
        new MiniClusterConfiguration.Builder()
            .setConfiguration(settings)
            .setNumTaskManagers(1)
            .setNumSlotsPerTaskManager(1)
            .build();
    try (MiniCluster running = new MiniCluster(cluster)) {
      running.start();
      StreamExecutionEnvironment environment =
          StreamExecutionEnvironment.getExecutionEnvironment(settings);
      environment.setParallelism(1);
      environment.enableCheckpointing(3_600_000);
      environment
          .fromSequence(1, Long.MAX_VALUE)
          .map(new FailsWhenTold())
          .sinkTo(new DiscardingSink<>());
      var graph = environment.getStreamGraph().getJobGraph();
      running.submitJob(graph).join();
      var id = graph.getJobID();
      await("restored", 1);
      while (running.getExecutionGraph(id).join().getState() != JobStatus.RUNNING) {
        Thread.onSpinWait();
      }
      // Refused until all tasks are known to run.
      while (!running.triggerCheckpoint(id).handle((done, refused) -> refused == null).join()) {
        Thread.onSpinWait();
      }
      await("told", 1);
      JOURNAL.clear();
      STOPS.set(true);
      running
          .stopWithSavepoint(id, directory.toUri().toString(), false, SavepointFormatType.CANONICAL)
          .handle((done, failed) -> done)
          .join();
      await("restored", 1);
      assertThat(TOLD).hasPositiveValue();
      assertThat(JOURNAL).contains("restored OptionalLong[" + TOLD + "]");
      running.cancelJob(id).join();
    }
  }

  private static void await(String what, int count) {
    while (JOURNAL.stream().filter(each -> each.startsWith(what)).count() < count) {
      Thread.onSpinWait();
    }
  }
}
