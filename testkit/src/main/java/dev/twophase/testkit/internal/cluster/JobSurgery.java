package dev.twophase.testkit.internal.cluster;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.operator.SinkDecorator;
import java.io.ObjectStreamException;
import java.util.Map;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/**
 * Changes a job graph, after Flink has made it, so that the schedule can drive it: tasks are {@link
 * DrivenTask}s, and the sink gets its gate when it is deployed.
 */
final class JobSurgery {

  private static final ClassLoader LOADER = JobSurgery.class.getClassLoader();

  private JobSurgery() {}

  static void drive(JobGraph graph, String run, String conductor, boolean gated) {
    for (JobVertex vertex : graph.getVertices()) {
      vertex.setInvokableClass(DrivenTask.class);
      boolean conducts = vertex.getName().contains(conductor);
      DrivenJob.mark(vertex.getConfiguration(), run, conducts);
      if (gated && !conducts) {
        putGates(new StreamConfig(vertex.getConfiguration()));
      }
    }
  }

  private static void putGates(StreamConfig head) {
    Map<Integer, StreamConfig> chained = head.getTransitiveChainedTaskConfigs(LOADER);
    for (StreamConfig read : chained.values()) {
      // One that has been read can only be changed through a new one on the same settings.
      StreamConfig config = new StreamConfig(read.getConfiguration());
      config.setStreamOperatorFactory(new Envelope(config.getStreamOperatorFactory(LOADER)));
      config.serializeAllConfigs();
    }
    head.setAndSerializeTransitiveChainedTaskConfigs(chained);
  }

  /** Turns, when a task reads it, into what it holds, with the gate of that task in front. */
  private static final class Envelope implements StreamOperatorFactory<Object> {
    private static final long serialVersionUID = 1L;

    private final StreamOperatorFactory<?> content;

    Envelope(StreamOperatorFactory<?> content) {
      this.content = content;
    }

    private Object readResolve() throws ObjectStreamException {
      CallGate gate = CallGate.current();
      if (gate != null) {
        new SinkDecorator(gate, TaskAttempt.current()::step, LOADER).decorate(content);
      }
      return content;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // as the interface has it
    public <T extends StreamOperator<Object>> T createStreamOperator(
        StreamOperatorParameters<Object> parameters) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void setChainingStrategy(ChainingStrategy strategy) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ChainingStrategy getChainingStrategy() {
      return content.getChainingStrategy();
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
      return content.getStreamOperatorClass(classLoader);
    }
  }
}
