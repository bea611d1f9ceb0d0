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

/** Works as long as all attempts run in one process (W2). */
public final class HandsOverInStaticFields extends MemoryConnector {

  private static final long serialVersionUID = 1L;

  private static final Map<String, List<TestRecord>> ROWS = new ConcurrentHashMap<>();

  public HandsOverInStaticFields(String namespace) {
    super(namespace);
  }

  private List<TestRecord> rows(TransactionId id) {
    return ROWS.computeIfAbsent(namespace + id, unused -> new CopyOnWriteArrayList<>());
  }

  @Override
  public void write(TransactionId transaction, TestRecord record, WriteContext context) {
    rows(transaction).add(record);
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) throws Exception {
    if (!store.isCommitted(id)) {
      for (TestRecord row : rows(id)) {
        store.write(id, row);
      }
    }
    return super.commit(id, handle);
  }
}
