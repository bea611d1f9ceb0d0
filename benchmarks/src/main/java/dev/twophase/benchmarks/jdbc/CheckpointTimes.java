package dev.twophase.benchmarks.jdbc;

import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.apache.flink.metrics.reporter.Scheduled;
import org.jspecify.annotations.Nullable;

/** How long Flink says that the checkpoints of the job in this JVM took, from trigger to end. */
public final class CheckpointTimes implements MetricReporter, Scheduled {

  private static final Map<Long, Long> MILLIS = new TreeMap<>();

  private @Nullable Gauge<?> id;
  private @Nullable Gauge<?> duration;

  /** Found by Flink as a service. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new CheckpointTimes();
    }
  }

  /** Forgets what was seen, and has the next job of this configuration watched. */
  static void watch(Configuration configuration) {
    synchronized (MILLIS) {
      MILLIS.clear();
    }
    configuration.setString("metrics.reporters", "checkpoints");
    configuration.setString("metrics.reporter.checkpoints.factory.class", Factory.class.getName());
    configuration.setString("metrics.reporter.checkpoints.interval", "100 MILLISECONDS");
  }

  /** Mean duration of what completed. */
  static double meanMillis() {
    synchronized (MILLIS) {
      return MILLIS.values().stream().mapToLong(Long::longValue).average().orElse(0);
    }
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {}

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (metric instanceof Gauge<?> gauge && name.equals("lastCompletedCheckpointId")) {
      id = gauge;
    } else if (metric instanceof Gauge<?> gauge && name.equals("lastCheckpointDuration")) {
      duration = gauge;
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}

  @Override
  public void report() {
    if (id != null
        && duration != null
        && id.getValue() instanceof Long number
        && duration.getValue() instanceof Long millis
        && number > 0) {
      synchronized (MILLIS) {
        MILLIS.put(number, millis);
      }
    }
  }
}
