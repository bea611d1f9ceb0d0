package dev.twophase.testkit.internal.tier;

import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** Where a connector finds itself that is driven without Flink. */
public record OpenedContext(
    Role role,
    String sinkName,
    int subtask,
    int parallelism,
    Optional<String> jobId,
    OptionalLong restoredLine,
    UUID attemptNonce,
    Counter bytesSent,
    boolean commitsBesideWriter,
    SinkOptions options)
    implements ConnectorContext, PreflightContext {

  private static final MetricGroup METRICS = new UnregisteredMetricsGroup();

  @Override
  public DeliveryGuarantee guarantee() {
    return options.guarantee();
  }

  @Override
  public MetricGroup metrics() {
    return METRICS;
  }

  @Override
  public ClassLoader userClassLoader() {
    return OpenedContext.class.getClassLoader();
  }

  @Override
  public boolean batch() {
    return false;
  }

  @Override
  public Optional<Duration> checkpointInterval() {
    return Optional.of(Duration.ofSeconds(1));
  }

  @Override
  public Duration restartAllowance() {
    return options.restartAllowance();
  }
}
