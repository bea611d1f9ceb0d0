package dev.twophase.internal.flink;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionalConnector;
import dev.twophase.WriteContext;
import dev.twophase.internal.engine.WriterEngine;
import dev.twophase.internal.state.WriterState;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;

/**
 * Sink V2's writer on the engine. Under EXACTLY_ONCE it hands prepared transactions to the
 * committer; under the weaker guarantees it commits them itself, at checkpoints or at an interval.
 */
public final class TransactionalWriter<IN, T, H>
    implements CommittingSinkWriter<IN, PreparedTransaction<H>>,
        StatefulSinkWriter<IN, WriterState> {

  private final TransactionalConnector<IN, T, H> connector;
  private final WriterEngine<IN, T, H> engine;
  private final @Nullable ImmediateCommits<IN, T, H> immediate;
  private final WriterState state;
  private final Counter recordsSent;
  private final Counter sendErrors;
  private final RecordContext recordContext;

  public TransactionalWriter(
      TransactionalConnector<IN, T, H> connector,
      WriterEngine<IN, T, H> engine,
      @Nullable ImmediateCommits<IN, T, H> immediate,
      WriterState state,
      ProcessingTimeService time,
      Counter recordsSent,
      Counter sendErrors) {
    this.connector = connector;
    this.engine = engine;
    this.immediate = immediate;
    this.state = state;
    this.recordsSent = recordsSent;
    this.sendErrors = sendErrors;
    this.recordContext = new RecordContext(time);
  }

  @Override
  public void write(IN element, Context context) throws IOException, InterruptedException {
    // Flink has one for all records. A store costs what collectors attach to it, which of old
    // objects under G1 is a fence: a third of what a record costs here.
    if (recordContext.flinkContext != context) {
      recordContext.flinkContext = context;
    }
    try {
      engine.write(element, recordContext);
    } catch (Exception error) {
      sendErrors.inc();
      throw asFlinkExpects(error);
    }
    recordsSent.inc();
  }

  @Override
  public void writeWatermark(Watermark watermark) {
    engine.watermark(watermark.getTimestamp());
  }

  @Override
  public void flush(boolean endOfInput) throws IOException, InterruptedException {
    if (endOfInput) {
      engine.endOfInput();
    }
    ImmediateCommits<IN, T, H> commits = immediate;
    if (commits != null) {
      try {
        commits.flush(endOfInput);
      } catch (Exception error) {
        throw asFlinkExpects(error);
      }
    }
  }

  @Override
  public Collection<PreparedTransaction<H>> prepareCommit()
      throws IOException, InterruptedException {
    if (immediate != null) {
      return List.of();
    }
    try {
      Optional<PreparedTransaction<H>> prepared = engine.prepare();
      return prepared.isPresent() ? List.of(prepared.get()) : List.of();
    } catch (Exception error) {
      throw asFlinkExpects(error);
    }
  }

  @Override
  public List<WriterState> snapshotState(long checkpointId) {
    if (immediate == null) {
      engine.snapshotTaken(checkpointId);
    }
    return List.of(state.ofLine(connector.line()));
  }

  @Override
  public void close() {
    engine.abortOpen();
    ConnectorInstance.closeQuietly(state.sinkName(), connector);
    if (immediate != null) {
      ConnectorInstance.closeQuietly(state.sinkName(), immediate);
    }
  }

  private static IOException asFlinkExpects(Exception error) throws InterruptedException {
    if (error instanceof InterruptedException interrupted) {
      throw interrupted;
    }
    return FlinkErrors.asIoException(error);
  }

  /** One object for all records: the hot path allocates nothing. */
  private static final class RecordContext implements WriteContext {

    private final ProcessingTimeService time;
    private SinkWriter.@Nullable Context flinkContext;

    RecordContext(ProcessingTimeService time) {
      this.time = time;
    }

    @Override
    public @Nullable Long timestamp() {
      return flinkContext == null ? null : flinkContext.timestamp();
    }

    @Override
    public long currentWatermark() {
      return flinkContext == null ? Long.MIN_VALUE : flinkContext.currentWatermark();
    }

    @Override
    public long currentProcessingTime() {
      return time.getCurrentProcessingTime();
    }
  }
}
