package dev.twophase.testkit.internal.operator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An external system in this process, found by name: what a deployed sink cannot carry in bytes.
 */
final class Shelf {

  private static final Map<String, Shelf> SHELVES = new ConcurrentHashMap<>();

  /** Every call that reached the sink, in order. */
  final List<String> journal = Collections.synchronizedList(new ArrayList<>());

  final Map<String, List<String>> prepared = new TreeMap<>();
  final Map<String, List<String>> committed = new TreeMap<>();

  /** Processing time at the start of each writer. */
  final List<Long> clocks = Collections.synchronizedList(new ArrayList<>());

  volatile boolean failed;
  private int ids;

  static Shelf of(String name) {
    return SHELVES.computeIfAbsent(name, key -> new Shelf());
  }

  /** A shelf that nobody has used. */
  static String fresh() {
    return "shelf-" + SHELVES.size() + "-" + System.nanoTime();
  }

  void log(String call) {
    journal.add(call);
  }

  /** The journal since the last call of this method. */
  List<String> drainJournal() {
    List<String> calls = List.copyOf(journal);
    journal.clear();
    return calls;
  }

  String nextId() {
    return "t" + ids++;
  }

  void prepare(String id, List<String> records) {
    prepared.put(id, List.copyOf(records));
  }

  void commit(String id) {
    List<String> records = prepared.remove(id);
    if (records != null) {
      committed.put(id, records);
    } else if (!committed.containsKey(id)) {
      throw new IllegalStateException("no such transaction: " + id);
    }
  }

  List<String> visible() {
    return committed.values().stream().flatMap(List::stream).sorted().toList();
  }
}
