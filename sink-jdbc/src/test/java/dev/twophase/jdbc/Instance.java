package dev.twophase.jdbc;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.WriteContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.InstantiationUtil;

/** One connector, driven as an adapter does; handles go through bytes. */
final class Instance<T, H> implements AutoCloseable {

  /** What survives a crash, and nothing else. */
  record Prepared(TransactionId id, int version, byte[] bytes) {}

  private static final WriteContext NO_TIME =
      new WriteContext() {
        @Override
        public Long timestamp() {
          return null;
        }

        @Override
        public long currentWatermark() {
          return Long.MIN_VALUE;
        }

        @Override
        public long currentProcessingTime() {
          return 0;
        }
      };

  private record Context(
      Role role, String sinkName, int subtask, UUID attemptNonce, DeliveryGuarantee guarantee)
      implements ConnectorContext, PreflightContext {

    @Override
    public int parallelism() {
      return subtask + 1;
    }

    static Context of(Role role, String sinkName, int subtask) {
      return new Context(
          role, sinkName, subtask, UUID.randomUUID(), DeliveryGuarantee.EXACTLY_ONCE);
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

    @Override
    public MetricGroup metrics() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public Counter bytesSent() {
      return new SimpleCounter();
    }

    @Override
    public ClassLoader userClassLoader() {
      return Instance.class.getClassLoader();
    }
  }

  final TransactionalConnector<T, Object, H> connector;
  private final Context context;

  @SuppressWarnings("unchecked")
  private Instance(TransactionalConnector<T, ?, ?> configured, Context context) throws Exception {
    this.context = context;
    this.connector = (TransactionalConnector<T, Object, H>) InstantiationUtil.clone(configured);
    connector.open(context);
  }

  static <T> Instance<T, ?> writer(TransactionalJdbcSink<T> sink, int subtask) throws Exception {
    return writer(sink, "orders", subtask);
  }

  static <T> Instance<T, ?> writer(TransactionalJdbcSink<T> sink, String name, int subtask)
      throws Exception {
    Instance<T, ?> writer =
        new Instance<>(
            sink.buildConnector(), Context.of(ConnectorContext.Role.WRITER, name, subtask));
    writer.connector.preflight(writer.context);
    return writer;
  }

  static <T> Instance<T, ?> committer(TransactionalJdbcSink<T> sink) throws Exception {
    return committer(sink, "orders");
  }

  static <T> Instance<T, ?> committer(TransactionalJdbcSink<T> sink, String name) throws Exception {
    return new Instance<>(
        sink.buildConnector(), Context.of(ConnectorContext.Role.COMMITTER, name, 0));
  }

  /** Writes and commits at once, as ours does for the weaker guarantees. */
  static <T> Instance<T, ?> atLeastOnce(TransactionalJdbcSink<T> sink) throws Exception {
    return new Instance<>(
        sink.buildConnector(),
        new Context(
            ConnectorContext.Role.WRITER,
            "orders",
            0,
            UUID.randomUUID(),
            DeliveryGuarantee.AT_LEAST_ONCE));
  }

  TransactionId id(long since) {
    return new TransactionId(context.sinkName(), context.subtask(), since, context.attemptNonce());
  }

  @SafeVarargs
  final Object begin(long since, T... records) throws Exception {
    Object transaction = connector.begin(id(since));
    for (T record : records) {
      connector.write(transaction, record, NO_TIME);
    }
    return transaction;
  }

  void write(Object transaction, T record) throws Exception {
    connector.write(transaction, record, NO_TIME);
  }

  @SafeVarargs
  final Prepared prepare(long since, T... records) throws Exception {
    return preCommit(since, begin(since, records)).orElseThrow();
  }

  Optional<Prepared> preCommit(long since, Object transaction) throws Exception {
    Optional<H> handle = connector.preCommit(transaction);
    if (handle.isEmpty()) {
      return Optional.empty();
    }
    int version = connector.handleSerializer().getVersion();
    return Optional.of(
        new Prepared(id(since), version, connector.handleSerializer().serialize(handle.get())));
  }

  CommitOutcome commit(Prepared prepared) throws Exception {
    return connector.commit(prepared.id(), handle(prepared));
  }

  List<CommitOutcome> commitAll(Prepared... prepared) throws Exception {
    List<PreparedTransaction<H>> transactions = new ArrayList<>();
    for (Prepared each : prepared) {
      transactions.add(
          new PreparedTransaction<>(each.id(), 1, 0, 0, 1, Optional.of(handle(each)), List.of()));
    }
    return connector.commitAll(transactions);
  }

  private H handle(Prepared prepared) throws Exception {
    return connector.handleSerializer().deserialize(prepared.version(), prepared.bytes());
  }

  @Override
  public void close() throws Exception {
    connector.close();
  }
}
