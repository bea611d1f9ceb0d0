package dev.twophase.testkit.internal.operator.plan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.graph.StreamingJobGraphGenerator;
import org.apache.flink.streaming.runtime.partitioner.ForwardPartitioner;

/**
 * Expands a sink by Flink's own translator and takes down the operators that result.
 *
 * <p>Records stay in the subtask that emits them. That is what Flink does along forward edges, and
 * everywhere at parallelism 1. A node or an edge that mixes subtasks is refused at a higher
 * parallelism, because a record that stays where it must not would make a verdict worthless. The
 * one exception is the edge from the source: the schedule deals the records.
 */
public final class SinkExpansion {

  private static final String SINK_UID = "sink-under-test";
  private static final String SOURCE_UID = "twophase-testkit-source";
  private static final long CHECKPOINT_INTERVAL_MILLIS = 1_000;

  private final StreamGraph graph;
  private final StreamExecutionEnvironment environment;
  private final int parallelism;
  private final Map<Integer, Integer> indexes = new LinkedHashMap<>();

  private SinkExpansion(StreamExecutionEnvironment environment, int parallelism) {
    this.environment = environment;
    this.graph = environment.getStreamGraph();
    this.parallelism = parallelism;
  }

  /**
   * Expands a sink.
   *
   * @param configuration settings of the job; checkpointing every second is the default
   * @throws dev.twophase.testkit.internal.watch.InconclusiveException if this tier cannot run a
   *     part of it
   * @throws RuntimeException what the sink threw while it was translated
   */
  public static <IN> SinkPlan expand(
      TypeInformation<IN> type,
      SinkAttachment<IN> attachment,
      Configuration configuration,
      int parallelism)
      throws IOException {
    Configuration settings = new Configuration(configuration);
    StreamExecutionEnvironment environment = new StreamExecutionEnvironment(settings);
    environment.setParallelism(parallelism);
    if (!environment.getCheckpointConfig().isCheckpointingEnabled()) {
      environment.enableCheckpointing(CHECKPOINT_INTERVAL_MILLIS);
    }
    DataStream<IN> source =
        environment
            .<IN>fromSource(
                neverRead(), WatermarkStrategy.noWatermarks(), "twophase-testkit-source", type)
            .uid(SOURCE_UID);
    attachment.attach(source).uid(SINK_UID);
    return new SinkExpansion(environment, parallelism).plan();
  }

  /** Records do not come from a source here, so it may be of any type. */
  @SuppressWarnings("unchecked")
  private static <IN> Source<IN, ?, ?> neverRead() {
    return (Source<IN, ?, ?>) (Source<?, ?, ?>) new NumberSequenceSource(0, 0);
  }

  private SinkPlan plan() throws IOException {
    StreamNode source =
        graph.getStreamNodes().stream()
            .filter(node -> SOURCE_UID.equals(node.getTransformationUID()))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("the source has left the graph"));
    List<StreamNode> order = downstreamOf(source);
    for (int i = 0; i < order.size(); i++) {
      indexes.put(order.get(i).getId(), i);
    }
    List<PlannedNode> nodes = new ArrayList<>();
    for (StreamNode node : order) {
      check(node);
      nodes.add(plan(node, nodes.size()));
    }
    return new SinkPlan(
        nodes,
        edges(source),
        new Configuration(graph.getJobConfiguration()),
        environment.getConfig());
  }

  /** The nodes reachable from the source, each after all that feed it. */
  private List<StreamNode> downstreamOf(StreamNode source) {
    Map<Integer, StreamNode> finished = new LinkedHashMap<>();
    visit(source, finished);
    List<StreamNode> order = new ArrayList<>(finished.values());
    Collections.reverse(order);
    order.remove(source);
    return order;
  }

  private void visit(StreamNode node, Map<Integer, StreamNode> finished) {
    List<StreamEdge> outputs = new ArrayList<>(node.getOutEdges());
    Collections.reverse(outputs);
    for (StreamEdge edge : outputs) {
      if (!finished.containsKey(edge.getTargetId())) {
        visit(graph.getStreamNode(edge.getTargetId()), finished);
      }
    }
    finished.put(node.getId(), node);
  }

  private void check(StreamNode node) {
    if (node.getStateKeySerializer() != null) {
      throw NotRunnable.because(
          "'" + node.getOperatorName() + "'", "it has keyed state", "run it in the cluster tier");
    }
    if (node.getParallelism() != parallelism) {
      throw NotRunnable.because(
          "'" + node.getOperatorName() + "' at parallelism " + parallelism,
          "its own parallelism is " + node.getParallelism() + ", so it mixes subtasks",
          "run this sink at p=" + node.getParallelism() + " or in the cluster tier");
    }
  }

  private PlannedNode plan(StreamNode node, int index) throws IOException {
    String key = index + ":" + node.getOperatorName();
    UUID hash = UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
    OperatorID id = new OperatorID(hash.getLeastSignificantBits(), hash.getMostSignificantBits());
    StreamConfig config = new StreamConfig(new Configuration());
    config.setOperatorID(id);
    config.setOperatorName(node.getOperatorName());
    config.setChainIndex(index);
    config.setTypeSerializerOut(node.getTypeSerializerOut());
    config.setupNetworkInputs(node.getTypeSerializersIn());
    config.serializeAllConfigs();
    int inputs = Math.max(1, node.getTypeSerializersIn().length);
    List<Integer> inputEdges = new ArrayList<>();
    for (int input = 1; input <= inputs; input++) {
      int number = input;
      inputEdges.add(
          (int) node.getInEdges().stream().filter(edge -> inputOf(edge) == number).count());
    }
    return new PlannedNode(
        key,
        node.getOperatorName(),
        id,
        Deployment.serialize(node.getOperatorFactory()),
        config,
        List.copyOf(inputEdges),
        edges(node));
  }

  private List<PlannedEdge> edges(StreamNode node) throws IOException {
    List<PlannedEdge> edges = new ArrayList<>();
    for (StreamEdge edge : node.getOutEdges()) {
      StreamNode target = graph.getStreamNode(edge.getTargetId());
      boolean fromSource = !indexes.containsKey(edge.getSourceId());
      if (parallelism > 1
          && !fromSource
          && !(edge.getPartitioner() instanceof ForwardPartitioner)) {
        throw NotRunnable.because(
            "the edge from '" + node.getOperatorName() + "' to '" + target.getOperatorName() + "'",
            "it deals records by " + edge.getPartitioner() + " and so mixes subtasks",
            "run this sink at p=1 or in the cluster tier");
      }
      TypeSerializer<?> serializer = target.getTypeSerializersIn()[inputOf(edge) - 1];
      edges.add(
          new PlannedEdge(
              Objects.requireNonNull(indexes.get(edge.getTargetId())),
              inputOf(edge),
              StreamingJobGraphGenerator.isChainable(edge, graph),
              Deployment.serialize(serializer),
              edge.getOutputTag()));
    }
    return List.copyOf(edges);
  }

  /** Flink numbers the inputs of a one-input operator 0 and those of others from 1. */
  private static int inputOf(StreamEdge edge) {
    return Math.max(1, edge.getTypeNumber());
  }
}
