package dev.twophase.store;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.HandleSerializers;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A correct connector on a {@link MemoryStore}; tests override what they want to go wrong. */
public class MemoryConnector extends TransactionalConnector<String, TransactionId, String> {

  private static final long serialVersionUID = 1L;

  protected final String storeName;
  protected transient MemoryStore store;
  protected transient ConnectorContext context;

  public MemoryConnector(String storeName) {
    this.storeName = storeName;
  }

  @Override
  public void open(ConnectorContext opened) {
    context = opened;
    store = MemoryStore.named(storeName);
  }

  @Override
  public TransactionId begin(TransactionId id) {
    store.begin(id);
    return id;
  }

  @Override
  public void write(TransactionId transaction, String record, WriteContext writeContext) {
    store.write(transaction, record);
  }

  @Override
  public Optional<String> preCommit(TransactionId transaction) {
    return Optional.of(transaction.toString());
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) throws Exception {
    if (store.commit(id)) {
      return CommitOutcome.committed();
    }
    return store.isCommitted(id)
        ? CommitOutcome.alreadyCommitted()
        : CommitOutcome.lost("the store knows nothing of " + handle);
  }

  @Override
  public void abort(TransactionId transaction) {
    store.abort(transaction);
  }

  @Override
  public List<Unfinished> unfinished() {
    return store.unfinished().stream()
        .filter(id -> id.sinkName().equals(context.sinkName()))
        .map(Unfinished::of)
        .toList();
  }

  @Override
  public void abort(Unfinished transaction) {
    store.abort(transaction.id());
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) {
    return store.committed().stream()
        .filter(id -> id.sinkName().equals(context.sinkName()) && id.since() >= checkpointId)
        .findFirst();
  }

  @Override
  public SimpleVersionedSerializer<String> handleSerializer() {
    return HandleSerializers.text();
  }
}
