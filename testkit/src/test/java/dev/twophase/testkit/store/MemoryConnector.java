package dev.twophase.testkit.store;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.HandleSerializers;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.testkit.TestRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A correct connector; tests override what they want to go wrong. */
public class MemoryConnector extends TransactionalConnector<TestRecord, TransactionId, String> {

  private static final long serialVersionUID = 1L;

  protected final String namespace;
  protected transient MemoryStore store;
  private transient String sinkName;

  public MemoryConnector(String namespace) {
    this.namespace = namespace;
  }

  @Override
  public void open(ConnectorContext context) {
    sinkName = context.sinkName();
    store = MemoryStore.of(namespace);
  }

  @Override
  public TransactionId begin(TransactionId id) {
    store.begin(id);
    return id;
  }

  @Override
  public void write(TransactionId transaction, TestRecord record, WriteContext context)
      throws Exception {
    store.write(transaction, record);
  }

  @Override
  public Optional<String> preCommit(TransactionId transaction) throws Exception {
    return Optional.of(transaction.toString());
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) throws Exception {
    if (store.commit(id)) {
      return CommitOutcome.committed();
    }
    return store.isCommitted(id)
        ? CommitOutcome.alreadyCommitted()
        : CommitOutcome.lost("the store does not know " + handle);
  }

  @Override
  public void abort(TransactionId transaction) {
    store.abort(transaction);
  }

  @Override
  public List<Unfinished> unfinished() {
    List<Unfinished> mine = new ArrayList<>();
    for (TransactionId id : store.unfinished()) {
      if (id.sinkName().equals(sinkName)) {
        mine.add(Unfinished.of(id));
      }
    }
    return mine;
  }

  @Override
  public void abort(Unfinished transaction) {
    store.abort(transaction.id());
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) {
    for (TransactionId id : store.committed()) {
      if (id.since() >= checkpointId && id.sinkName().equals(sinkName)) {
        return Optional.of(id);
      }
    }
    return Optional.empty();
  }

  @Override
  public SimpleVersionedSerializer<String> handleSerializer() {
    return HandleSerializers.text();
  }
}
