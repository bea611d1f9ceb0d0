package dev.twophase.flink;

import dev.twophase.ConnectorContext.Role;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.internal.flink.ConnectorInstance;
import dev.twophase.internal.flink.FlinkErrors;
import dev.twophase.internal.flink.HandleSerializerSource;
import dev.twophase.internal.flink.LineSink;
import dev.twophase.internal.flink.ProtocolMetrics;
import dev.twophase.internal.flink.RestoredTransactions;
import dev.twophase.internal.flink.StampCheckpoint;
import dev.twophase.internal.flink.TransactionalCommitter;
import dev.twophase.internal.flink.WriterStart;
import dev.twophase.internal.flink.setup.JobGraphCheck;
import dev.twophase.internal.flink.setup.JobSetup;
import dev.twophase.internal.flink.setup.NamedSink;
import dev.twophase.internal.state.PreparedTransactionSerializer;
import dev.twophase.internal.state.WriterState;
import dev.twophase.internal.state.WriterStateSerializer;
import dev.twophase.policy.SinkOptions;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessageTypeInfo;
import org.apache.flink.streaming.api.connector.sink2.SupportsPreCommitTopology;
import org.apache.flink.streaming.api.connector.sink2.SupportsPreWriteTopology;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link TransactionalConnector} through Flink's Sink V2: {@code
 * stream.sinkTo(TransactionalSink.of("orders", connector)).uid("orders-sink")}.
 *
 * <p>Upholds all protocol rules for writing, committing, aborting, recovering, ending and state. A
 * set-up that would lose data silently is refused while the job graph is built (E3). Immutable;
 * serializable if the connector is.
 *
 * @param <IN> type of the records
 */
public final class TransactionalSink<IN, T, H>
    implements LineSink<IN>,
        SupportsCommitter<PreparedTransaction<H>>,
        SupportsWriterState<IN, WriterState>,
        SupportsPreWriteTopology<IN>,
        SupportsPreCommitTopology<PreparedTransaction<H>, PreparedTransaction<H>>,
        NamedSink {

  private static final long serialVersionUID = 1L;

  private final String name;
  private final TransactionalConnector<IN, T, H> connector;
  private final SinkOptions options;

  /** Known once the job graph is built; null where the sink runs without one. */
  private @Nullable JobSetup setup;

  /** Of the committer that this very object makes. */
  private transient @Nullable RestoredTransactions<H> restored;

  private TransactionalSink(
      String name, TransactionalConnector<IN, T, H> connector, SinkOptions options) {
    this.name = TransactionId.checkSinkName(name);
    this.connector = Objects.requireNonNull(connector, "connector");
    this.options = Objects.requireNonNull(options, "options");
  }

  /**
   * Makes an exactly-once sink with default options.
   *
   * @param name unique among all running jobs that write to the resource (R6); it names the sink's
   *     transactions there, so it must stay the same as long as the state
   * @throws IllegalArgumentException if the name is not valid
   */
  public static <IN, T, H> TransactionalSink<IN, T, H> of(
      String name, TransactionalConnector<IN, T, H> connector) {
    return of(name, connector, SinkOptions.defaults());
  }

  /**
   * Makes a sink.
   *
   * @param name see {@link #of(String, TransactionalConnector)}
   * @throws IllegalArgumentException if the name is not valid
   */
  public static <IN, T, H> TransactionalSink<IN, T, H> of(
      String name, TransactionalConnector<IN, T, H> connector, SinkOptions options) {
    return new TransactionalSink<>(name, connector, options);
  }

  @Override
  public String sinkName() {
    return name;
  }

  /** Checks the job graph (E3) and adds nothing to it. Called by Flink. */
  @Override
  public DataStream<IN> addPreWriteTopology(DataStream<IN> input) {
    JobGraphCheck check = new JobGraphCheck(this, options, input.getExecutionEnvironment());
    setup = check.check(connector);
    check.checkUid();
    return input;
  }

  @Override
  public StatefulSinkWriter<IN, WriterState> createWriter(WriterInitContext context)
      throws IOException {
    return restoreWriter(context, List.of());
  }

  @Override
  public StatefulSinkWriter<IN, WriterState> restoreWriter(
      WriterInitContext context, Collection<WriterState> restored) throws IOException {
    for (WriterState state : restored) {
      state.checkRestoredBy(WriterState.Kind.SINK_V2, name);
    }
    try {
      return new WriterStart(
              name,
              options,
              setup,
              WriterState.newestLine(restored.stream().map(WriterState::line)))
          .start(connector, context);
    } catch (Exception error) {
      throw FlinkErrors.asIoException(error);
    }
  }

  /** Stamps each handle with its checkpoint and caps what is pending (S3). Called by Flink. */
  @Override
  public DataStream<CommittableMessage<PreparedTransaction<H>>> addPreCommitTopology(
      DataStream<CommittableMessage<PreparedTransaction<H>>> committables) {
    HandleSerializerSource<H> handles = connector::handleSerializer;
    JobSetup known = setup == null ? new JobSetup(false, 0) : setup;
    SingleOutputStreamOperator<CommittableMessage<PreparedTransaction<H>>> prepared =
        committables
            .process(
                new StampCheckpoint<>(
                    name, options, known, connector.transactionLifetime().orElse(null), handles),
                CommittableMessageTypeInfo.of(this::getCommittableSerializer))
            .name("Prepared");
    boolean ownTask =
        options.guarantee() == DeliveryGuarantee.EXACTLY_ONCE && connector.commitsWhileWriting();
    return ownTask ? prepared.startNewChain() : prepared;
  }

  @Override
  public Committer<PreparedTransaction<H>> createCommitter(CommitterInitContext context)
      throws IOException {
    ConnectorInstance instance =
        ConnectorInstance.of(
            Role.COMMITTER,
            name,
            context.getTaskInfo(),
            UUID.randomUUID(),
            context.getJobInfo(),
            options.guarantee(),
            context.metricGroup(),
            new SimpleCounter(),
            Thread.currentThread().getContextClassLoader());
    if (connector.commitsInOrder()) {
      context.getRestoredCheckpointId().ifPresent(restored()::noteFrom);
    }
    try {
      return new TransactionalCommitter<>(
          name,
          instance.open(connector),
          options,
          new ProtocolMetrics(context.metricGroup()),
          restored());
    } catch (Exception error) {
      throw FlinkErrors.asIoException(error);
    }
  }

  @Override
  public SimpleVersionedSerializer<PreparedTransaction<H>> getCommittableSerializer() {
    return restored().noting(new PreparedTransactionSerializer<>(connector.handleSerializer()));
  }

  private RestoredTransactions<H> restored() {
    RestoredTransactions<H> known = restored;
    if (known == null) {
      known = new RestoredTransactions<>();
      restored = known;
    }
    return known;
  }

  @Override
  public SimpleVersionedSerializer<PreparedTransaction<H>> getWriteResultSerializer() {
    return getCommittableSerializer();
  }

  @Override
  public SimpleVersionedSerializer<WriterState> getWriterStateSerializer() {
    return new WriterStateSerializer();
  }

  @Override
  public String toString() {
    return "TransactionalSink[" + name + "]";
  }
}
