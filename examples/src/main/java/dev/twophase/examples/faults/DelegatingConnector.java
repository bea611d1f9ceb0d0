package dev.twophase.examples.faults;

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

/** Passes every call on to the connector it wraps; subclasses change some. */
abstract class DelegatingConnector<IN, T, H> extends TransactionalConnector<IN, T, H> {

  private static final long serialVersionUID = 1L;

  final TransactionalConnector<IN, T, H> inner;

  DelegatingConnector(TransactionalConnector<IN, T, H> inner) {
    this.inner = inner;
  }

  @Override
  public void open(ConnectorContext context) throws Exception {
    inner.open(context);
  }

  @Override
  public void preflight(PreflightContext context) throws Exception {
    inner.preflight(context);
  }

  @Override
  public T begin(TransactionId id) throws Exception {
    return inner.begin(id);
  }

  @Override
  public void write(T transaction, IN record, WriteContext context) throws Exception {
    inner.write(transaction, record, context);
  }

  @Override
  public Optional<H> preCommit(T transaction) throws Exception {
    return inner.preCommit(transaction);
  }

  @Override
  public boolean coversEmptyIntervals() {
    return inner.coversEmptyIntervals();
  }

  @Override
  public void endOfInput() {
    inner.endOfInput();
  }

  @Override
  public void watermark(long timestamp) {
    inner.watermark(timestamp);
  }

  @Override
  public CommitOutcome commit(TransactionId id, H handle) throws Exception {
    return inner.commit(id, handle);
  }

  @Override
  public List<CommitOutcome> commitAll(List<PreparedTransaction<H>> transactions) throws Exception {
    return inner.commitAll(transactions);
  }

  @Override
  public void abort(T transaction) throws Exception {
    inner.abort(transaction);
  }

  @Override
  public Iterable<Unfinished> unfinished() throws Exception {
    return inner.unfinished();
  }

  @Override
  public void abort(Unfinished transaction) throws Exception {
    inner.abort(transaction);
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) throws Exception {
    return inner.committedSince(checkpointId);
  }

  @Override
  public OptionalLong line() {
    return inner.line();
  }

  @Override
  public Optional<String> rewindRemedy(long checkpointId) {
    return inner.rewindRemedy(checkpointId);
  }

  @Override
  public boolean commitsInOrder() {
    return inner.commitsInOrder();
  }

  @Override
  public boolean commitsWhileWriting() {
    return inner.commitsWhileWriting();
  }

  @Override
  public Optional<Duration> transactionLifetime() {
    return inner.transactionLifetime();
  }

  @Override
  public String transactionLifetimeSetting() {
    return inner.transactionLifetimeSetting();
  }

  @Override
  public SimpleVersionedSerializer<H> handleSerializer() {
    return inner.handleSerializer();
  }

  @Override
  public void close() throws Exception {
    inner.close();
  }
}
