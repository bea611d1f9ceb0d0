package dev.twophase.internal.function;

import dev.twophase.ConnectorContext.Role;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.WriterEngine;
import dev.twophase.internal.flink.ConnectorInstance;
import dev.twophase.internal.flink.Engines;
import dev.twophase.internal.flink.PendingTransactions;
import dev.twophase.internal.flink.ProtocolMetrics;
import dev.twophase.internal.flink.setup.JobSetup;
import dev.twophase.internal.flink.setup.RefusedStart;
import dev.twophase.policy.SinkOptions;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.runtime.metrics.groups.InternalSinkWriterMetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

/**
 * Starts one attempt: check the set-up, read all state, look for a rewind, commit what was
 * restored, and only then let anything be written (E3, S4, R6, R1).
 */
public final class FunctionStart<IN, T, H> {

  private final String name;
  private final TransactionalConnector<IN, T, H> prototype;
  private final SinkOptions options;
  private final StreamingRuntimeContext runtime;
  private final SinkWriterMetricGroup metrics;
  private final ProtocolMetrics listener;
  private final Engines engines;
  private final JobSetup setup;

  private FunctionStart(
      String name,
      TransactionalConnector<IN, T, H> prototype,
      SinkOptions options,
      StreamingRuntimeContext runtime) {
    this.name = name;
    this.prototype = prototype;
    this.options = options;
    this.runtime = runtime;
    this.metrics = InternalSinkWriterMetricGroup.wrap(runtime.getMetricGroup());
    this.listener = new ProtocolMetrics(metrics);
    this.engines = new Engines(options, listener);
    this.setup = RuntimeChecks.setup(runtime);
  }

  /** Starts an attempt; closes what it had opened if that fails. */
  public static <IN, T, H> FunctionAttempt<IN, T, H> start(
      String name,
      TransactionalConnector<IN, T, H> prototype,
      SinkOptions options,
      RuntimeContext runtime,
      FunctionInitializationContext context)
      throws Exception {
    try {
      if (options.guarantee() == DeliveryGuarantee.EXACTLY_ONCE) {
        RuntimeChecks.refuseSilentLoss(name, runtime);
        RuntimeChecks.refuseShortLifetime(name, runtime, options, prototype);
      }
      return new FunctionStart<>(name, prototype, options, (StreamingRuntimeContext) runtime)
          .startClaimed(context);
    } catch (SetupRefusedException refused) {
      throw RefusedStart.of(refused, runtime.getTaskInfo().getAttemptNumber());
    }
  }

  private FunctionAttempt<IN, T, H> startClaimed(FunctionInitializationContext context)
      throws Exception {
    FunctionState<H> state = FunctionState.open(context, name, prototype.handleSerializer());
    AutoCloseable claimed = RunningNames.claim(name, runtime);
    try {
      return start(state, context.getRestoredCheckpointId().orElse(0), claimed);
    } catch (Throwable error) {
      ConnectorInstance.closeQuietly(name, claimed);
      throw error;
    }
  }

  private FunctionAttempt<IN, T, H> start(
      FunctionState<H> state, long restoredCheckpoint, AutoCloseable claimed) throws Exception {
    ConnectorInstance instance = instance(Role.WRITER).restoredFrom(state.restoredLine());
    TransactionalConnector<IN, T, H> writing = instance.open(prototype);
    TransactionalConnector<IN, T, H> committing = null;
    try {
      writing.preflight(instance.preflight(options, setup, false));
      WriterEngine<IN, T, H> writer = engines.writer(writing, instance, restoredCheckpoint);
      if (options.guarantee() == DeliveryGuarantee.EXACTLY_ONCE) {
        writer.checkRewind(options.rewindPolicy());
      }
      committing = instance(Role.COMMITTER).open(prototype);
      CommitEngine<H> commits = engines.commits(committing);
      commitRestored(commits, state.restored());
      metrics.setCurrentSendTimeGauge(listener::prepareLatency);
      return new FunctionAttempt<>(
          new FunctionAttempt.Parts<>(
              name,
              writing,
              committing,
              writer,
              commits,
              engines.immediate(
                  writer, committing, setup.checkpointing(), runtime.getProcessingTimeService()),
              state,
              PendingTransactions.registered(
                  name, options, setup, prototype.transactionLifetime(), metrics),
              claimed,
              metrics.getNumRecordsSendCounter(),
              metrics.getNumRecordsSendErrorsCounter()));
    } catch (Throwable error) {
      ConnectorInstance.closeQuietly(name, writing);
      if (committing != null) {
        ConnectorInstance.closeQuietly(name, committing);
      }
      throw error;
    }
  }

  private void commitRestored(CommitEngine<H> commits, List<PreparedTransaction<H>> restored)
      throws Exception {
    if (!restored.isEmpty()) {
      commits.commit(restored, (transaction, settlement) -> {});
    }
  }

  private ConnectorInstance instance(Role role) {
    return ConnectorInstance.of(
        role,
        name,
        runtime.getTaskInfo(),
        UUID.randomUUID(),
        runtime.getJobInfo(),
        options.guarantee(),
        metrics,
        metrics.getNumBytesSendCounter(),
        runtime.getUserCodeClassLoader());
  }
}
