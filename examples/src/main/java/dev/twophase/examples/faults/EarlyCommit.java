package dev.twophase.examples.faults;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.InstantiationUtil;
import org.jspecify.annotations.Nullable;

/**
 * A broken sink: commits in {@code preCommit}, when no checkpoint holds the transaction yet, and
 * hides what would give it away to the engine (R6).
 */
final class EarlyCommit<IN, T, H> extends DelegatingConnector<IN, T, H> {

  private static final long serialVersionUID = 1L;

  private transient @Nullable TransactionalConnector<IN, T, H> committing;
  private transient @Nullable TransactionId open;

  EarlyCommit(TransactionalConnector<IN, T, H> inner) {
    super(inner);
  }

  @Override
  public void open(ConnectorContext context) throws Exception {
    TransactionalConnector<IN, T, H> committer =
        InstantiationUtil.clone(inner, context.userClassLoader());
    super.open(context);
    committer.open(new AsCommitter(context));
    committing = committer;
  }

  @Override
  public T begin(TransactionId id) throws Exception {
    open = id;
    return super.begin(id);
  }

  @Override
  public Optional<H> preCommit(T transaction) throws Exception {
    Optional<H> handle = super.preCommit(transaction);
    if (handle.isPresent() && committing != null && open != null) {
      CommitOutcome ignored = committing.commit(open, handle.get());
    }
    return handle;
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) {
    return Optional.empty();
  }

  @Override
  public void close() throws Exception {
    if (committing != null) {
      committing.close();
    }
    super.close();
  }

  private record AsCommitter(ConnectorContext writer) implements ConnectorContext {

    @Override
    public Role role() {
      return Role.COMMITTER;
    }

    @Override
    public String sinkName() {
      return writer.sinkName();
    }

    @Override
    public int subtask() {
      return writer.subtask();
    }

    @Override
    public int parallelism() {
      return writer.parallelism();
    }

    @Override
    public UUID attemptNonce() {
      return writer.attemptNonce();
    }

    @Override
    public DeliveryGuarantee guarantee() {
      return writer.guarantee();
    }

    @Override
    public MetricGroup metrics() {
      return writer.metrics();
    }

    @Override
    public Counter bytesSent() {
      return writer.bytesSent();
    }

    @Override
    public ClassLoader userClassLoader() {
      return writer.userClassLoader();
    }
  }
}
