package dev.twophase.store;

import dev.twophase.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A transactional resource in memory, shared by all attempts of a test through its name. */
public final class MemoryStore {

  private static final Map<String, MemoryStore> STORES = new ConcurrentHashMap<>();

  private final Map<TransactionId, List<String>> unfinished = new ConcurrentHashMap<>();
  private final Map<TransactionId, List<String>> committed = new ConcurrentHashMap<>();
  private final List<String> visible = new ArrayList<>();
  private final List<String> log = new ArrayList<>();

  public static MemoryStore named(String name) {
    return STORES.computeIfAbsent(name, unused -> new MemoryStore());
  }

  public synchronized void begin(TransactionId id) {
    if (unfinished.putIfAbsent(id, new ArrayList<>()) != null || committed.containsKey(id)) {
      throw new IllegalStateException("id used twice: " + id);
    }
    log.add("begin " + id.subtask() + "@" + id.since());
  }

  public synchronized void write(TransactionId id, String record) {
    unfinished.get(id).add(record);
  }

  public synchronized boolean commit(TransactionId id) {
    List<String> records = unfinished.remove(id);
    if (records == null) {
      return false;
    }
    committed.put(id, records);
    visible.addAll(records);
    log.add("commit " + id.subtask() + "@" + id.since());
    return true;
  }

  public synchronized List<String> recordsOf(TransactionId id) {
    return List.copyOf(unfinished.get(id));
  }

  public synchronized void commitAs(TransactionId id, List<String> records) {
    unfinished.put(id, new ArrayList<>(records));
    commit(id);
  }

  public synchronized void abort(TransactionId id) {
    if (unfinished.remove(id) != null) {
      log.add("abort " + id.subtask() + "@" + id.since());
    }
  }

  public synchronized boolean isCommitted(TransactionId id) {
    return committed.containsKey(id);
  }

  public synchronized List<TransactionId> unfinished() {
    return new ArrayList<>(new TreeMap<>(byText(unfinished)).values());
  }

  public synchronized List<TransactionId> committed() {
    return new ArrayList<>(new TreeMap<>(byText(committed)).values());
  }

  public synchronized List<String> visible() {
    return new ArrayList<>(visible);
  }

  public synchronized List<String> log() {
    return new ArrayList<>(log);
  }

  private static Map<String, TransactionId> byText(Map<TransactionId, List<String>> transactions) {
    Map<String, TransactionId> byText = new TreeMap<>();
    transactions.keySet().forEach(id -> byText.put(id.toString(), id));
    return byText;
  }
}
