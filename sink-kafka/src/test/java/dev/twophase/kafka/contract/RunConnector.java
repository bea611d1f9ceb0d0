package dev.twophase.kafka.contract;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * The connector for one run of the kit, under the run's own name: on the engine alone the kit has
 * one name for all runs, which share a broker here. It does not tell how long its transactions
 * live, because the kit takes checkpoints when it likes, and its interval is none.
 */
final class RunConnector<T, H> extends TransactionalConnector<String, T, H> {

  private static final long serialVersionUID = 1L;

  private final TransactionalConnector<String, T, H> real;
  private final String run;
  private transient String name;

  private RunConnector(TransactionalConnector<String, T, H> real, String run) {
    this.real = real;
    this.run = run;
  }

  static <T, H> TransactionalConnector<String, T, H> of(
      TransactionalConnector<String, T, H> real, String run) {
    return new RunConnector<>(real, run);
  }

  private TransactionId named(TransactionId id, String other) {
    return new TransactionId(other, id.subtask(), id.since(), id.nonce());
  }

  @Override
  public void open(ConnectorContext context) throws Exception {
    name = context.sinkName();
    real.open(new Renamed(context, run));
  }

  @Override
  public void preflight(PreflightContext context) throws Exception {
    real.preflight(context);
  }

  @Override
  public T begin(TransactionId id) throws Exception {
    return real.begin(named(id, run));
  }

  @Override
  public void write(T transaction, String record, WriteContext context) throws Exception {
    real.write(transaction, record, context);
  }

  @Override
  public Optional<H> preCommit(T transaction) throws Exception {
    return real.preCommit(transaction);
  }

  @Override
  public CommitOutcome commit(TransactionId id, H handle) throws Exception {
    return real.commit(named(id, run), handle);
  }

  @Override
  public List<CommitOutcome> commitAll(List<PreparedTransaction<H>> transactions) throws Exception {
    return real.commitAll(transactions);
  }

  @Override
  public boolean commitsInOrder() {
    return real.commitsInOrder();
  }

  @Override
  public void abort(T transaction) throws Exception {
    real.abort(transaction);
  }

  @Override
  public Iterable<Unfinished> unfinished() throws Exception {
    List<Unfinished> found = new ArrayList<>();
    for (Unfinished each : real.unfinished()) {
      found.add(new Unfinished(named(each.id(), name), each.token()));
    }
    return found;
  }

  @Override
  public void abort(Unfinished transaction) throws Exception {
    real.abort(new Unfinished(named(transaction.id(), run), transaction.token()));
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) throws Exception {
    return real.committedSince(checkpointId).map(id -> named(id, name));
  }

  @Override
  public Optional<Duration> transactionLifetime() {
    return Optional.empty();
  }

  @Override
  public SimpleVersionedSerializer<H> handleSerializer() {
    return real.handleSerializer();
  }

  @Override
  public void close() throws Exception {
    real.close();
  }

  private record Renamed(ConnectorContext real, String sinkName) implements ConnectorContext {

    @Override
    public Role role() {
      return real.role();
    }

    @Override
    public int subtask() {
      return real.subtask();
    }

    @Override
    public int parallelism() {
      return real.parallelism();
    }

    @Override
    public UUID attemptNonce() {
      return real.attemptNonce();
    }

    @Override
    public Optional<String> jobId() {
      return real.jobId();
    }

    @Override
    public DeliveryGuarantee guarantee() {
      return real.guarantee();
    }

    @Override
    public MetricGroup metrics() {
      return real.metrics();
    }

    @Override
    public Counter bytesSent() {
      return real.bytesSent();
    }

    @Override
    public ClassLoader userClassLoader() {
      return real.userClassLoader();
    }
  }
}
