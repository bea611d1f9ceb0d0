package dev.twophase.testkit.internal.cluster;

import dev.twophase.testkit.internal.operator.plan.NotRunnable;
import dev.twophase.testkit.internal.operator.plan.SinkAttachment;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.jspecify.annotations.Nullable;

/** Makes the graph of a job: the sink behind a driven source, and a conductor. */
final class DrivenGraph {

  private static final Duration NEVER = Duration.ofDays(300);
  private static final int VERTICES = 2;
  private static final int CONCURRENT_CHECKPOINTS = 8;

  private DrivenGraph() {}

  static <IN> JobGraph of(
      TypeInformation<IN> type,
      SinkAttachment<IN> attachment,
      int parallelism,
      String run,
      boolean gated,
      @Nullable String restoredFrom) {
    StreamExecutionEnvironment environment = new StreamExecutionEnvironment(new Configuration());
    environment.setParallelism(parallelism);
    // Checkpointing must be on, and each checkpoint is triggered by the schedule: Flink waits for
    // the pause, and not for the interval, where it begins again after a failover.
    environment.enableCheckpointing(NEVER.toMillis());
    var checkpoints = environment.getCheckpointConfig();
    checkpoints.setMaxConcurrentCheckpoints(CONCURRENT_CHECKPOINTS);
    checkpoints.setMinPauseBetweenCheckpoints(NEVER.toMillis());
    checkpoints.setTolerableCheckpointFailureNumber(Integer.MAX_VALUE);
    checkpoints.setExternalizedCheckpointRetention(
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    attachment
        .attach(DrivenSource.add(environment, "input", type).uid("twophase-testkit-source"))
        .uid("sink-under-test");
    DrivenSource.add(environment, DrivenJob.CONDUCTOR, Types.STRING)
        .setParallelism(1)
        .uid(DrivenJob.CONDUCTOR)
        .sinkTo(new DiscardingSink<>())
        .setParallelism(1)
        .uid("twophase-testkit-conducted");
    StreamGraph streams = environment.getStreamGraph();
    DrivenSource.replaceSources(streams);
    chainTasks(streams);
    JobGraph graph = streams.getJobGraph();
    if (graph.getNumberOfVertices() != VERTICES) {
      throw NotRunnable.because(
          "this sink's topology",
          "it has parts that Flink does not chain to the writer: " + names(graph),
          "run it in the operator tier");
    }
    JobSurgery.drive(graph, run, DrivenJob.CONDUCTOR, gated);
    if (restoredFrom != null) {
      graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(restoredFrom, false));
    }
    return graph;
  }

  /**
   * What asks for a task of its own, as a committer does that works beside its writer, is put into
   * the task before it: a schedule knows one task for each subtask, and one order of its parts.
   */
  private static void chainTasks(StreamGraph graph) {
    for (StreamNode node : graph.getStreamNodes()) {
      StreamOperatorFactory<?> factory = node.getOperatorFactory();
      if (factory != null && factory.getChainingStrategy() == ChainingStrategy.HEAD) {
        factory.setChainingStrategy(ChainingStrategy.ALWAYS);
      }
    }
  }

  private static List<String> names(JobGraph graph) {
    return graph.getVerticesSortedTopologicallyFromSources().stream()
        .map(JobVertex::getName)
        .toList();
  }
}
