package dev.twophase.benchmarks.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.InstantiationUtil;

/**
 * All operators of a sink, from the writer to the committer, as Flink expands them; each in Flink's
 * own operator harness, wired as in a chained task of parallelism 1. A record costs what it costs
 * in a task, minus the task.
 */
public final class SinkChain implements AutoCloseable {

  private final List<OneInputStreamOperatorTestHarness<Object, Object>> operators;
  private final List<OneInputStreamOperatorTestHarness<Object, Object>> fromTheTail;
  private final OneInputStreamOperator<Object, Object> head;
  private final StreamRecord<Object> record = new StreamRecord<>("");

  private SinkChain(List<OneInputStreamOperatorTestHarness<Object, Object>> operators) {
    this.operators = operators;
    this.fromTheTail = new ArrayList<>(operators);
    Collections.reverse(fromTheTail);
    this.head = operators.get(0).getOneInputOperator();
  }

  /**
   * Expands, sets up and opens a sink for strings.
   *
   * @param attach attaches exactly one sink to the stream
   */
  public static SinkChain open(Consumer<DataStream<String>> attach) throws Exception {
    SinkChain chain = translated(attach);
    chain.start(Optional.empty());
    return chain;
  }

  /**
   * Expands a sink, which is what a job's client does, and no more: {@link #start} follows.
   *
   * @param attach attaches exactly one sink to the stream
   */
  public static SinkChain translated(Consumer<DataStream<String>> attach) throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment().setParallelism(1);
    environment.enableCheckpointing(1000);
    DataStream<String> input = environment.fromSequence(0, 1).map(String::valueOf);
    attach.accept(input);
    StreamGraph graph = environment.getStreamGraph();
    List<StreamNode> nodes = nodesAfter(input.getId(), graph);
    List<OneInputStreamOperatorTestHarness<Object, Object>> operators = new ArrayList<>();
    for (int last = nodes.size() - 1; last >= 0; last--) {
      ChainOutput output =
          new ChainOutput(operators.isEmpty() ? null : operators.get(0).getOneInputOperator());
      operators.add(0, operator(nodes.get(last), graph.getJobConfiguration(), output));
    }
    return new SinkChain(List.copyOf(operators));
  }

  /** What a task does before its first record: all operators get their state and are opened. */
  public void start(Optional<Snapshot> snapshot) throws Exception {
    for (int last = operators.size() - 1; last >= 0; last--) {
      OneInputStreamOperatorTestHarness<Object, Object> operator = operators.get(last);
      if (snapshot.isPresent()) {
        operator.setRestoredCheckpointId(snapshot.get().checkpointId());
        operator.initializeState(snapshot.get().states().get(last));
      } else {
        operator.initializeEmptyState();
      }
      operator.open();
    }
  }

  private static List<StreamNode> nodesAfter(int id, StreamGraph graph) {
    List<StreamNode> nodes = new ArrayList<>();
    StreamNode node = graph.getStreamNode(id);
    while (!node.getOutEdges().isEmpty()) {
      if (node.getOutEdges().size() > 1) {
        throw new IllegalStateException(node.getOperatorName() + " has several outputs");
      }
      node = graph.getStreamNode(node.getOutEdges().get(0).getTargetId());
      nodes.add(node);
    }
    return nodes;
  }

  @SuppressWarnings("unchecked")
  private static OneInputStreamOperatorTestHarness<Object, Object> operator(
      StreamNode node, Configuration job, ChainOutput output) throws Exception {
    // Serialized as on its way to a task, because a sink may turn into something else there.
    StreamOperatorFactory<Object> factory =
        (StreamOperatorFactory<Object>) InstantiationUtil.clone(node.getOperatorFactory());
    OneInputStreamOperatorTestHarness<Object, Object> harness =
        new OneInputStreamOperatorTestHarness<>(factory, 1, 1, 0);
    harness.getEnvironment().getJobConfiguration().addAll(job);
    harness.setOutputCreator(serializer -> output);
    harness.setProcessingTime(System.currentTimeMillis());
    harness.setup((TypeSerializer<Object>) node.getTypeSerializerOut());
    return harness;
  }

  /** Writes one record. Allocates nothing of its own. */
  public void write(String value) throws Exception {
    head.processElement(record.replace(value));
  }

  /** Lets a barrier pass: pre-commit, then snapshot. */
  public Snapshot prepare(long id) throws Exception {
    for (OneInputStreamOperatorTestHarness<Object, Object> operator : operators) {
      operator.setProcessingTime(System.currentTimeMillis());
      operator.prepareSnapshotPreBarrier(id);
    }
    List<OperatorSubtaskState> states = new ArrayList<>();
    for (OneInputStreamOperatorTestHarness<Object, Object> operator : fromTheTail) {
      states.add(operator.snapshot(id, System.currentTimeMillis()));
    }
    Collections.reverse(states);
    return new Snapshot(id, states);
  }

  /** The state of all operators, from the head on. */
  public record Snapshot(long checkpointId, List<OperatorSubtaskState> states) {

    public Snapshot {
      states = List.copyOf(states);
    }
  }

  /** Tells that a checkpoint is complete: when this returns, its files are visible. */
  public void complete(long id) throws Exception {
    for (OneInputStreamOperatorTestHarness<Object, Object> operator : fromTheTail) {
      operator.notifyOfCompletedCheckpoint(id);
    }
  }

  @Override
  public void close() throws Exception {
    for (OneInputStreamOperatorTestHarness<Object, Object> operator : operators) {
      operator.close();
    }
  }
}
