package dev.twophase.kafka;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.ConnectorContext.Role;
import dev.twophase.PreflightContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.EngineClock;
import dev.twophase.internal.engine.ProtocolListener;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.InstantiationUtil;

/** Drives a connector through its life, as an adapter does. */
final class Sinks {

  private Sinks() {}

  /** A clock that a test sets. */
  static final class Clock implements WriteContext {
    long now;

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
      return now;
    }
  }

  record Context(Role role, String sinkName, int subtask, UUID attemptNonce, Counter bytes)
      implements ConnectorContext {

    @Override
    public int parallelism() {
      return subtask + 1;
    }

    @Override
    public DeliveryGuarantee guarantee() {
      return DeliveryGuarantee.EXACTLY_ONCE;
    }

    @Override
    public MetricGroup metrics() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public Counter bytesSent() {
      return bytes;
    }

    @Override
    public ClassLoader userClassLoader() {
      return Sinks.class.getClassLoader();
    }
  }

  record Preflight(String sinkName) implements PreflightContext {
    @Override
    public DeliveryGuarantee guarantee() {
      return DeliveryGuarantee.EXACTLY_ONCE;
    }

    @Override
    public int parallelism() {
      return 1;
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
      return Duration.ofSeconds(60);
    }
  }

  /** Handle of a prepared transaction, as bytes: what survives a crash; and as the object. */
  record Prepared(TransactionId id, int version, byte[] bytes, Object live) {}

  /** One instance of the connector, in the role it was opened for. */
  static final class Instance<T, H> implements AutoCloseable {
    final Clock clock = new Clock();
    final TransactionalConnector<String, T, H> connector;
    private final Context context;

    private Instance(TransactionalConnector<String, T, H> configured, Context context)
        throws Exception {
      this.context = context;
      this.connector = InstantiationUtil.clone(configured);
      connector.open(context);
    }

    long bytesSent() {
      return context.bytes().getCount();
    }

    TransactionId id(long since) {
      return new TransactionId(
          context.sinkName(), context.subtask(), since, context.attemptNonce());
    }

    T begin(long since, String... records) throws Exception {
      T transaction = connector.begin(id(since));
      for (String record : records) {
        connector.write(transaction, record, clock);
      }
      return transaction;
    }

    Prepared prepare(long since, String... records) throws Exception {
      return preCommit(since, begin(since, records)).orElseThrow();
    }

    Optional<Prepared> preCommit(long since, T transaction) throws Exception {
      Optional<H> handle = connector.preCommit(transaction);
      if (handle.isEmpty()) {
        return Optional.empty();
      }
      int version = connector.handleSerializer().getVersion();
      byte[] bytes = connector.handleSerializer().serialize(handle.get());
      return Optional.of(new Prepared(id(since), version, bytes, handle.get()));
    }

    CommitOutcome commit(Prepared prepared) throws Exception {
      return connector.commit(
          prepared.id(),
          connector.handleSerializer().deserialize(prepared.version(), prepared.bytes()));
    }

    /** As where writer and committer are chained: the very object is handed over. */
    @SuppressWarnings("unchecked") // made by an instance of the same connector
    CommitOutcome commitLive(Prepared prepared) throws Exception {
      return connector.commit(prepared.id(), (H) prepared.live());
    }

    /** As the adapters do: whoever does not know the outcome asks again, and says so in the log. */
    void commitByEngine(Prepared prepared, long begunAt) throws Exception {
      H handle = connector.handleSerializer().deserialize(prepared.version(), prepared.bytes());
      PreparedTransaction<H> transaction =
          new PreparedTransaction<>(
              prepared.id(), 7, begunAt, begunAt, 2, Optional.of(handle), List.of());
      new CommitEngine<>(
              connector,
              SinkOptions.defaults(),
              EngineClock.system(),
              () -> 0.5,
              ProtocolListener.NONE)
          .commit(List.of(transaction), (settled, how) -> {});
    }

    List<CommitOutcome> commitAll(List<Prepared> several) throws Exception {
      List<PreparedTransaction<H>> transactions = new ArrayList<>();
      for (Prepared each : several) {
        H handle = connector.handleSerializer().deserialize(each.version(), each.bytes());
        transactions.add(
            new PreparedTransaction<>(each.id(), 1, 0, 0, 1, Optional.of(handle), List.of()));
      }
      return connector.commitAll(transactions);
    }

    List<Unfinished> unfinished() throws Exception {
      List<Unfinished> found = new ArrayList<>();
      connector.unfinished().forEach(found::add);
      return found;
    }

    @Override
    public void close() throws Exception {
      connector.close();
    }
  }

  static Instance<?, ?> writer(TransactionalConnector<String, ?, ?> connector, String name)
      throws Exception {
    return writer(connector, name, 0);
  }

  static Instance<?, ?> writer(
      TransactionalConnector<String, ?, ?> connector, String name, int subtask) throws Exception {
    return new Instance<>(
        connector, new Context(Role.WRITER, name, subtask, UUID.randomUUID(), new SimpleCounter()));
  }

  static Instance<?, ?> committer(TransactionalConnector<String, ?, ?> connector, String name)
      throws Exception {
    return new Instance<>(
        connector, new Context(Role.COMMITTER, name, 0, UUID.randomUUID(), new SimpleCounter()));
  }

  /** A sink of strings to that topic of the shared cluster. */
  static TransactionalKafkaSink<String> to(String topic, String name) {
    return TransactionalKafkaSink.<String>builder()
        .setBootstrapServers(SharedKafka.cluster().bootstrapServers())
        .setTransactionalIdPrefix(name)
        .setTopic(topic)
        .setValueSerializer(new SimpleStringSchema());
  }
}
