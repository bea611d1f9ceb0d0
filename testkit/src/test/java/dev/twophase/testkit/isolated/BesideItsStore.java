package dev.twophase.testkit.isolated;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.store.MemoryConnector;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Keeps its records in a static field until they are committed (W2), and writes them to a store
 * that is in its own package and open to that only.
 */
public final class BesideItsStore extends MemoryConnector {

  private static final long serialVersionUID = 1L;

  private static final Map<String, List<TestRecord>> ROWS = new ConcurrentHashMap<>();

  public BesideItsStore(String namespace) {
    super(namespace);
  }

  @Override
  public void write(TransactionId transaction, TestRecord record, WriteContext context) {
    ROWS.computeIfAbsent(namespace + transaction, unused -> new CopyOnWriteArrayList<>())
        .add(record);
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) {
    List<TestRecord> rows = ROWS.get(namespace + id);
    if (rows != null) {
      Shelf.show(namespace + id, rows);
    }
    return CommitOutcome.committed();
  }
}
