package dev.twophase.testkit.isolated;

import dev.twophase.testkit.TestRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Stands for an external system, in the package of the sinks that write to it. */
public final class Shelf {

  private static final Map<String, List<TestRecord>> ROWS = new ConcurrentHashMap<>();

  private Shelf() {}

  static void show(String transaction, List<TestRecord> rows) {
    ROWS.putIfAbsent(transaction, List.copyOf(rows));
  }

  /** What a reader sees in a namespace. */
  public static List<TestRecord> in(String namespace) {
    List<TestRecord> visible = new ArrayList<>();
    ROWS.forEach((id, rows) -> visible.addAll(id.startsWith(namespace) ? rows : List.of()));
    return visible;
  }
}
