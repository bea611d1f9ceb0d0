package dev.twophase.benchmarks.core;

import dev.twophase.CommitOutcome;
import dev.twophase.HandleSerializers;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A sink that writes nowhere: what is left is the cost of the adapter around it. */
public final class EmptyConnector extends TransactionalConnector<String, EmptyTransaction, String> {

  private static final long serialVersionUID = 1L;

  @Override
  public EmptyTransaction begin(TransactionId id) {
    return new EmptyTransaction();
  }

  @Override
  public void write(EmptyTransaction transaction, String record, WriteContext context) {
    transaction.records++;
  }

  @Override
  public Optional<String> preCommit(EmptyTransaction transaction) {
    return Optional.of("prepared");
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) {
    return CommitOutcome.committed();
  }

  @Override
  public void abort(EmptyTransaction transaction) {}

  @Override
  public void abort(Unfinished transaction) {}

  @Override
  public List<Unfinished> unfinished() {
    return List.of();
  }

  @Override
  public SimpleVersionedSerializer<String> handleSerializer() {
    return HandleSerializers.text();
  }
}
