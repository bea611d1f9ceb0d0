package dev.twophase.flink;

import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.metrics.groups.InternalOperatorMetricGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups.UnregisteredTaskMetricGroup;
import org.apache.flink.runtime.metrics.util.InterceptingOperatorMetricGroup;

/** The metrics of the one operator in a harness. */
final class WatchedMetrics extends UnregisteredTaskMetricGroup {

  private final InterceptingOperatorMetricGroup operator = new InterceptingOperatorMetricGroup();

  /** What Flink 2.x asks for. */
  public InternalOperatorMetricGroup getOrAddOperator(
      OperatorID id, String name, Map<String, String> variables) {
    return operator;
  }

  /** What Flink 1.20 asks for. */
  public InternalOperatorMetricGroup getOrAddOperator(OperatorID id, String name) {
    return operator;
  }

  long value(String name) {
    Metric metric = operator.get(name);
    return metric instanceof Gauge<?> gauge
        ? ((Number) gauge.getValue()).longValue()
        : ((Counter) metric).getCount();
  }
}
