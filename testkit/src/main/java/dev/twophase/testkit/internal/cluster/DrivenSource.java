package dev.twophase.testkit.internal.cluster;

import java.lang.reflect.Field;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStreamSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;

/**
 * The head of a driven chain. To the translator it is an ordinary source, so that the sink is
 * chained to it; in the graph it is an operator that does nothing, because the records come from
 * the schedule. It has no coordinator: a failover that meets the checkpoint of one can take the
 * whole process with it.
 */
final class DrivenSource {

  private DrivenSource() {}

  @SuppressWarnings("unchecked") // nothing is ever read from it
  static <T> DataStreamSource<T> add(
      StreamExecutionEnvironment environment, String name, TypeInformation<T> type) {
    Source<T, ?, ?> never = (Source<T, ?, ?>) (Source<?, ?, ?>) new NumberSequenceSource(0, 0);
    return environment.fromSource(never, WatermarkStrategy.noWatermarks(), name, type);
  }

  /** Puts the operator that does nothing in the place of every source. */
  static void replaceSources(StreamGraph graph) {
    for (Integer id : graph.getSourceIDs()) {
      try {
        // Settable in the newer one of the two Flink lines only.
        Field factory = StreamNode.class.getDeclaredField("operatorFactory");
        factory.setAccessible(true);
        factory.set(graph.getStreamNode(id), SimpleOperatorFactory.of(new Head<>()));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("this Flink has another graph than the kit knows", e);
      }
    }
  }

  /** Closed last of its chain. */
  private static final class Head<T> extends AbstractStreamOperator<T> {
    private static final long serialVersionUID = 1L;

    @Override
    public void close() throws Exception {
      super.close();
      TaskAttempt.headClosed();
    }
  }
}
