package dev.twophase.testkit.connector;

import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** What an opened connector is told of the job that it is not in. */
record OpenedContext(Opening opening, UUID attemptNonce, Counter bytesSent)
    implements ConnectorContext, PreflightContext {

  static OpenedContext of(Opening opening) {
    return new OpenedContext(opening, UUID.randomUUID(), new SimpleCounter());
  }

  @Override
  public Role role() {
    return opening.role();
  }

  @Override
  public String sinkName() {
    return opening.sinkName();
  }

  @Override
  public int subtask() {
    return opening.subtask();
  }

  @Override
  public int parallelism() {
    return opening.parallelism();
  }

  @Override
  public Optional<String> jobId() {
    return opening.jobId();
  }

  @Override
  public DeliveryGuarantee guarantee() {
    return opening.guarantee();
  }

  @Override
  public MetricGroup metrics() {
    return new UnregisteredMetricsGroup();
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
  public boolean commitsBesideWriter() {
    return true;
  }

  @Override
  public Duration restartAllowance() {
    return Duration.ofSeconds(60);
  }
}
