package dev.twophase.testkit.internal.operator.task;

import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups.UnregisteredTaskMetricGroup;

/**
 * The metrics of tasks that nobody reports. One group serves all tasks, since making one takes
 * longer than a step of a sink; operators, and with them sinks, still get groups of their own.
 */
final class NoMetrics extends UnregisteredTaskMetricGroup {

  static final NoMetrics OF_ALL_TASKS = new NoMetrics();

  private NoMetrics() {}

  @Override
  protected void addMetric(String name, Metric metric) {}
}
