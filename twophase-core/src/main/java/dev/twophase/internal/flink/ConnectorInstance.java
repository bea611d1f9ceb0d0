package dev.twophase.internal.flink;

import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.TransactionalConnector;
import dev.twophase.internal.flink.setup.JobSetup;
import dev.twophase.policy.SinkOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.flink.api.common.JobInfo;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.InstantiationUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a connector instance finds itself; opens a copy of the job's connector per role, so that
 * writer and committer never share one.
 */
public record ConnectorInstance(
    Role role,
    String sinkName,
    int subtask,
    int parallelism,
    UUID attemptNonce,
    Optional<String> jobId,
    OptionalLong restoredLine,
    DeliveryGuarantee guarantee,
    MetricGroup metrics,
    Counter bytesSent,
    ClassLoader userClassLoader)
    implements ConnectorContext {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectorInstance.class);

  /** Describes an instance of this task that continues no known line. */
  public static ConnectorInstance of(
      Role role,
      String sinkName,
      TaskInfo task,
      UUID nonce,
      JobInfo job,
      DeliveryGuarantee guarantee,
      MetricGroup metrics,
      Counter bytesSent,
      ClassLoader loader) {
    return new ConnectorInstance(
        role,
        sinkName,
        task.getIndexOfThisSubtask(),
        task.getNumberOfParallelSubtasks(),
        nonce,
        Optional.of(job.getJobId().toString()),
        OptionalLong.empty(),
        guarantee,
        metrics,
        bytesSent,
        loader);
  }

  /** The same, of an attempt that was restored from a line's state. */
  public ConnectorInstance restoredFrom(OptionalLong line) {
    return new ConnectorInstance(
        role,
        sinkName,
        subtask,
        parallelism,
        attemptNonce,
        jobId,
        line,
        guarantee,
        metrics,
        bytesSent,
        userClassLoader);
  }

  /** Copies and opens the connector; closes it again if that fails. */
  public <IN, T, H> TransactionalConnector<IN, T, H> open(
      TransactionalConnector<IN, T, H> prototype) throws Exception {
    TransactionalConnector<IN, T, H> connector;
    try {
      connector = InstantiationUtil.clone(prototype, userClassLoader);
    } catch (IOException | ClassNotFoundException notSerializable) {
      throw new IllegalStateException(
          "The connector of sink '"
              + sinkName
              + "' cannot be copied: every field must be Serializable or transient",
          notSerializable);
    }
    try {
      connector.open(this);
    } catch (Throwable error) {
      closeAfter(error, connector);
      throw error;
    }
    return connector;
  }

  /**
   * Closes a connector at the end of a task. Errors are logged and go no further: closing resolves
   * nothing (E2), and Flink answers an exception thrown while it cleans up after another one by
   * shutting the whole TaskManager down.
   */
  public static void closeQuietly(String sinkName, AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception error) {
      LOG.warn(
          "Could not close the connector of sink '{}'; nothing is lost by it", sinkName, error);
    }
  }

  static void closeAfter(Throwable error, AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception secondary) {
      error.addSuppressed(secondary);
    }
  }

  /**
   * The settings to check before anything is begun (E3).
   *
   * @param commitsBesideWriter see {@link PreflightContext#commitsBesideWriter}
   */
  public PreflightContext preflight(
      SinkOptions options, @Nullable JobSetup setup, boolean commitsBesideWriter) {
    return new Preflight(
        sinkName,
        guarantee,
        parallelism,
        setup != null && setup.batch(),
        setup == null ? Optional.empty() : setup.checkpointInterval(),
        options.restartAllowance(),
        commitsBesideWriter);
  }

  private record Preflight(
      String sinkName,
      DeliveryGuarantee guarantee,
      int parallelism,
      boolean batch,
      Optional<Duration> checkpointInterval,
      Duration restartAllowance,
      boolean commitsBesideWriter)
      implements PreflightContext {}
}
