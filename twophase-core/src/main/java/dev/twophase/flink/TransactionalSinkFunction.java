package dev.twophase.flink;

import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.WriteContext;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.internal.flink.setup.JobGraphCheck;
import dev.twophase.internal.flink.setup.JobSetup;
import dev.twophase.internal.flink.setup.NamedSink;
import dev.twophase.internal.function.FunctionAttempt;
import dev.twophase.internal.function.FunctionStart;
import dev.twophase.policy.SinkOptions;
import java.util.Objects;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link TransactionalConnector} through Flink's older sink API, the {@code SinkFunction}:
 *
 * <pre>{@code
 * TransactionalSinkFunction.addTo(
 *     stream, "orders-sink", TransactionalSinkFunction.of("orders", connector));
 * }</pre>
 *
 * <p>{@code stream.addSink(function).uid(...)} works as well, but Flink shows a function nothing
 * while the job graph is built: set-ups that would lose data are refused when the task starts
 * instead (E3), a name used twice only if both sinks run in one TaskManager, as they do by default,
 * and a missing uid not at all. EXACTLY_ONCE is refused in BATCH mode, where nothing tells a
 * function that its records may become visible (C1).
 *
 * <p>Upholds all protocol rules for writing, committing, aborting, recovering, ending and state.
 * State written on Flink 1.20 restores on 2.x (S1), but not through {@link TransactionalSink}, and
 * the other way round: it is refused (S5). Immutable; serializable if the connector is.
 *
 * @param <IN> type of the records
 */
public final class TransactionalSinkFunction<IN> extends FlinkSinkFunction<IN>
    implements CheckpointedFunction, CheckpointListener, NamedSink {

  private static final long serialVersionUID = 1L;

  private final String name;
  private final TransactionalConnector<IN, ?, ?> connector;
  private final SinkOptions options;

  private transient @Nullable FunctionAttempt<IN, ?, ?> attempt;
  private transient RecordContext recordContext = new RecordContext();

  private TransactionalSinkFunction(
      String name, TransactionalConnector<IN, ?, ?> connector, SinkOptions options) {
    this.name = TransactionId.checkSinkName(name);
    this.connector = Objects.requireNonNull(connector, "connector");
    this.options = Objects.requireNonNull(options, "options");
  }

  /**
   * Makes an exactly-once sink function with default options.
   *
   * @param name unique among all running jobs that write to the resource (R6); it names the sink's
   *     transactions there, so it must stay the same as long as the state
   * @throws IllegalArgumentException if the name is not valid
   */
  public static <IN> TransactionalSinkFunction<IN> of(
      String name, TransactionalConnector<IN, ?, ?> connector) {
    return of(name, connector, SinkOptions.defaults());
  }

  /**
   * Makes a sink function.
   *
   * @param name see {@link #of(String, TransactionalConnector)}
   * @throws IllegalArgumentException if the name is not valid
   */
  public static <IN> TransactionalSinkFunction<IN> of(
      String name, TransactionalConnector<IN, ?, ?> connector, SinkOptions options) {
    return new TransactionalSinkFunction<>(name, connector, options);
  }

  /**
   * Adds the function to a stream, under a uid, and checks what can be seen of the job (E3, R6).
   * Checkpointing must have been configured before.
   *
   * @param uid under which Flink finds the state again in a savepoint
   * @return the sink, for its name, parallelism and the like
   * @throws SetupRefusedException naming setting, value and remedy
   */
  public static <IN> DataStreamSink<IN> addTo(
      DataStream<IN> stream, String uid, TransactionalSinkFunction<IN> function) {
    if (uid.isBlank()) {
      throw new SetupRefusedException(
          function.name, "the uid", "blank", "Choose one and keep it as long as the state");
    }
    DataStreamSink<IN> sink = stream.addSink(function).uid(uid).name(function.name);
    JobSetup setup =
        new JobGraphCheck(function, function.options, stream.getExecutionEnvironment())
            .check(function.connector);
    if (setup.batch() && function.options.guarantee() == DeliveryGuarantee.EXACTLY_ONCE) {
      throw new SetupRefusedException(
          function.name,
          ExecutionOptions.RUNTIME_MODE.key(),
          "BATCH",
          "A sink function is exactly-once at checkpoints only: use STREAMING, or TransactionalSink");
    }
    return sink;
  }

  @Override
  public String sinkName() {
    return name;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    recordContext = new RecordContext();
    attempt = FunctionStart.start(name, connector, options, getRuntimeContext(), context);
  }

  @Override
  public void invoke(IN value, Context context) throws Exception {
    // One for all records: see TransactionalWriter.
    if (recordContext.flinkContext != context) {
      recordContext.flinkContext = context;
    }
    attempt().write(value, recordContext);
  }

  @Override
  public void writeWatermark(Watermark watermark) {
    attempt().watermark(watermark.getTimestamp());
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    attempt().snapshot(context.getCheckpointId());
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    attempt().completed(checkpointId);
  }

  /** Discards nothing: the next checkpoint covers the longer span (C5). */
  @Override
  public void notifyCheckpointAborted(long checkpointId) {}

  @Override
  public void finish() throws Exception {
    FunctionAttempt<IN, ?, ?> started = attempt;
    if (started != null) {
      started.finish();
    }
  }

  @Override
  public void close() {
    FunctionAttempt<IN, ?, ?> started = attempt;
    if (started != null) {
      started.close();
    }
  }

  private FunctionAttempt<IN, ?, ?> attempt() {
    FunctionAttempt<IN, ?, ?> started = attempt;
    if (started == null) {
      throw new IllegalStateException("Sink '" + name + "' was not initialized");
    }
    return started;
  }

  @Override
  public String toString() {
    return "TransactionalSinkFunction[" + name + "]";
  }

  /** One object for all records: the hot path allocates nothing. */
  private static final class RecordContext implements WriteContext {

    private @Nullable Context flinkContext;

    @Override
    public @Nullable Long timestamp() {
      return flinkContext().timestamp();
    }

    @Override
    public long currentWatermark() {
      return flinkContext().currentWatermark();
    }

    @Override
    public long currentProcessingTime() {
      return flinkContext().currentProcessingTime();
    }

    private Context flinkContext() {
      return Objects.requireNonNull(flinkContext, "read during a write only");
    }
  }
}
