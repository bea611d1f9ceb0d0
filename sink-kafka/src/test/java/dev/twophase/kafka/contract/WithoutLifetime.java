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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The connector, which does not tell how long its transactions live, because the kit takes
 * checkpoints when it likes, and its interval is none.
 */
final class WithoutLifetime<T, H> extends TransactionalConnector<String, T, H> {

  private static final long serialVersionUID = 1L;

  private final TransactionalConnector<String, T, H> real;

  WithoutLifetime(TransactionalConnector<String, T, H> real) {
    this.real = real;
  }

  @Override
  public void open(ConnectorContext context) throws Exception {
    real.open(context);
  }

  @Override
  public void preflight(PreflightContext context) throws Exception {
    real.preflight(context);
  }

  @Override
  public T begin(TransactionId id) throws Exception {
    return real.begin(id);
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
    return real.commit(id, handle);
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
    return real.unfinished();
  }

  @Override
  public void abort(Unfinished transaction) throws Exception {
    real.abort(transaction);
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) throws Exception {
    return real.committedSince(checkpointId);
  }

  @Override
  public OptionalLong line() {
    return real.line();
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
}
