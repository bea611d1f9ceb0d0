package dev.twophase.internal.flink;

import dev.twophase.ConnectorContext.Role;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.internal.engine.WriterEngine;
import dev.twophase.internal.flink.setup.JobSetup;
import dev.twophase.internal.flink.setup.RefusedStart;
import dev.twophase.internal.state.WriterState;
import dev.twophase.policy.SinkOptions;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.jspecify.annotations.Nullable;

/** Starts the writer of one attempt: open, preflight, look for a rewind, and only then write. */
public final class WriterStart {

  private final String name;
  private final SinkOptions options;
  private final @Nullable JobSetup setup;
  private final OptionalLong restoredLine;

  public WriterStart(
      String name, SinkOptions options, @Nullable JobSetup setup, OptionalLong restoredLine) {
    this.name = name;
    this.options = options;
    this.setup = setup;
    this.restoredLine = restoredLine;
  }

  /** Starts it; closes the connector again if that fails. */
  public <IN, T, H> TransactionalWriter<IN, T, H> start(
      TransactionalConnector<IN, T, H> prototype, WriterInitContext context) throws Exception {
    try {
      return startOnce(prototype, context);
    } catch (SetupRefusedException refused) {
      throw RefusedStart.of(refused, context.getTaskInfo().getAttemptNumber());
    }
  }

  private <IN, T, H> TransactionalWriter<IN, T, H> startOnce(
      TransactionalConnector<IN, T, H> prototype, WriterInitContext context) throws Exception {
    SinkWriterMetricGroup metrics = context.metricGroup();
    ProtocolMetrics protocolMetrics = new ProtocolMetrics(metrics);
    metrics.setCurrentSendTimeGauge(protocolMetrics::prepareLatency);
    ConnectorInstance instance = instance(Role.WRITER, context).restoredFrom(restoredLine);
    TransactionalConnector<IN, T, H> connector = instance.open(prototype);
    try {
      connector.preflight(
          instance.preflight(
              options,
              setup,
              options.guarantee() == DeliveryGuarantee.EXACTLY_ONCE
                  && connector.commitsWhileWriting()));
      Engines engines = new Engines(options, protocolMetrics);
      WriterEngine<IN, T, H> engine =
          engines.writer(connector, instance, context.getRestoredCheckpointId().orElse(0));
      ImmediateCommits<IN, T, H> immediate = null;
      if (options.guarantee() != DeliveryGuarantee.EXACTLY_ONCE) {
        immediate = immediate(prototype, engine, context, engines);
      } else if (setup == null || !setup.batch()) {
        // Rerunning a committed writer in BATCH duplicates, as documented (C1): numbers say
        // nothing.
        engine.checkRewind(options.rewindPolicy());
      }
      return new TransactionalWriter<>(
          connector,
          engine,
          immediate,
          new WriterState(WriterState.Kind.SINK_V2, name),
          context.getProcessingTimeService(),
          metrics.getNumRecordsSendCounter(),
          metrics.getNumRecordsSendErrorsCounter());
    } catch (Throwable error) {
      ConnectorInstance.closeAfter(error, connector);
      throw error;
    }
  }

  private <IN, T, H> @Nullable ImmediateCommits<IN, T, H> immediate(
      TransactionalConnector<IN, T, H> prototype,
      WriterEngine<IN, T, H> engine,
      WriterInitContext context,
      Engines engines)
      throws Exception {
    return engines.immediate(
        engine,
        instance(Role.COMMITTER, context).open(prototype),
        setup == null || setup.batch() || setup.checkpointing(),
        context.getProcessingTimeService());
  }

  private ConnectorInstance instance(Role role, WriterInitContext context) {
    return ConnectorInstance.of(
        role,
        name,
        context.getTaskInfo(),
        UUID.randomUUID(),
        context.getJobInfo(),
        options.guarantee(),
        context.metricGroup(),
        context.metricGroup().getNumBytesSendCounter(),
        context.getUserCodeClassLoader().asClassLoader());
  }
}
