package dev.twophase.gallery.store;

import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A store per namespace. It outlives every attempt, as an external system does. */
public final class Store implements StoreClient {

  private static final long NOT_PREPARED = -1;

  private static final Map<String, Store> STORES = new ConcurrentHashMap<>();

  private static final class Transaction {
    final List<TestRecord> rows = new ArrayList<>(4);
    long token = NOT_PREPARED;
  }

  private final Map<String, Transaction> unfinished = new LinkedHashMap<>();
  private final Map<String, Long> committed = new HashMap<>();
  private final Set<String> keys = new LinkedHashSet<>();
  private final List<TestRecord> visible = new ArrayList<>();

  /** A copy of what is visible; null if that has changed since. */
  private @Nullable List<TestRecord> seen;

  private List<TestRecord> lastRead = List.of();
  private Table table = Table.EMPTY;
  private long tokens;

  private Store() {}

  /** The store of this namespace; made if need be. */
  public static Store of(String namespace) {
    Store known = STORES.get(namespace);
    return known != null ? known : STORES.computeIfAbsent(namespace, unused -> new Store());
  }

  /** Removes a store. */
  public static void drop(String namespace) {
    STORES.remove(namespace);
  }

  @Override
  public synchronized void begin(String id) {
    unfinished.put(id, new Transaction());
  }

  @Override
  public synchronized void write(String id, TestRecord record) throws IOException {
    find(id).rows.add(record);
  }

  @Override
  public synchronized long prepare(String id) throws IOException {
    Transaction transaction = find(id);
    transaction.token = ++tokens;
    if (transaction.rows.isEmpty()) {
      unfinished.remove(id);
    }
    return transaction.token;
  }

  @Override
  public synchronized boolean commit(String id, long token) throws IOException {
    Long done = committed.get(id);
    if (done != null && done == token) {
      return false;
    }
    Transaction transaction = find(id);
    if (transaction.token != token) {
      throw new IOException("token " + token + " is not the one of transaction " + id);
    }
    unfinished.remove(id);
    committed.put(id, token);
    changing().addAll(transaction.rows);
    return true;
  }

  @Override
  public synchronized boolean rename(String id) {
    @Nullable Transaction transaction = unfinished.remove(id);
    if (transaction == null) {
      return false;
    }
    changing().addAll(transaction.rows);
    return true;
  }

  @Override
  public synchronized boolean insert(String key, List<TestRecord> rows) {
    return keys.add(key) && changing().addAll(rows);
  }

  @Override
  public synchronized void append(List<TestRecord> rows) {
    changing().addAll(rows);
  }

  @Override
  public synchronized void upsert(TestRecord row) {
    changing().removeIf(other -> other.id() == row.id());
    changing().add(row);
  }

  @Override
  public synchronized void abort(String id) {
    unfinished.remove(id);
  }

  @Override
  public synchronized List<String> listUnfinished() {
    return List.copyOf(unfinished.keySet());
  }

  @Override
  public synchronized List<TestRecord> readStaged(String id) throws IOException {
    return List.copyOf(find(id).rows);
  }

  @Override
  public synchronized Table readTable() {
    return table;
  }

  @Override
  public synchronized boolean swap(Table expected, Table next) {
    if (!expected.equals(table)) {
      return false;
    }
    table = next;
    changing().clear();
    changing().addAll(next.rows());
    return true;
  }

  /** What a reader sees whose view is always one read behind. */
  public synchronized List<TestRecord> visibleLate() {
    List<TestRecord> before = lastRead;
    lastRead = visible();
    return before;
  }

  /** What a reader sees, in the order in which it became visible. */
  public synchronized List<TestRecord> visible() {
    List<TestRecord> copy = seen;
    if (copy == null) {
      copy = List.copyOf(visible);
      seen = copy;
    }
    return copy;
  }

  private List<TestRecord> changing() {
    seen = null;
    return visible;
  }

  private Transaction find(String id) throws IOException {
    Transaction transaction = unfinished.get(id);
    if (transaction == null) {
      throw new IOException("there is no transaction " + id);
    }
    return transaction;
  }
}
