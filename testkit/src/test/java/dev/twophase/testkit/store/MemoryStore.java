package dev.twophase.testkit.store;

import dev.twophase.TransactionId;
import dev.twophase.testkit.TestRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A transactional system in memory, one per namespace. */
public final class MemoryStore {

  private static final Map<String, MemoryStore> STORES = new ConcurrentHashMap<>();

  private final Map<TransactionId, List<TestRecord>> unfinished = new LinkedHashMap<>();
  private final Set<TransactionId> committed = new LinkedHashSet<>();
  private final List<TestRecord> visible = new ArrayList<>();

  public static MemoryStore of(String namespace) {
    return STORES.computeIfAbsent(namespace, unused -> new MemoryStore());
  }

  public static void drop(String namespace) {
    STORES.remove(namespace);
  }

  public void begin(TransactionId id) {
    if (committed.contains(id) || unfinished.putIfAbsent(id, new ArrayList<>(4)) != null) {
      throw new IllegalStateException("id used twice: " + id);
    }
  }

  public void write(TransactionId id, TestRecord record) {
    unfinished.get(id).add(record);
  }

  /** Makes a transaction visible; false if it is not there. */
  public boolean commit(TransactionId id) {
    List<TestRecord> records = unfinished.remove(id);
    if (records == null) {
      return false;
    }
    committed.add(id);
    visible.addAll(records);
    return true;
  }

  public void abort(TransactionId id) {
    unfinished.remove(id);
  }

  public void publish(TestRecord record) {
    visible.add(record);
  }

  public boolean isCommitted(TransactionId id) {
    return committed.contains(id);
  }

  public Set<TransactionId> committed() {
    return committed;
  }

  public Set<TransactionId> unfinished() {
    return unfinished.keySet();
  }

  public List<TestRecord> records(TransactionId id) {
    return unfinished.get(id);
  }

  public List<TestRecord> visible() {
    return visible;
  }
}
