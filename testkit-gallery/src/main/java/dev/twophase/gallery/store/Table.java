package dev.twophase.gallery.store;

import dev.twophase.testkit.TestRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A whole table, which is replaced and never changed.
 *
 * @param rows in order
 * @param ids of the transactions that it contains
 */
public record Table(List<TestRecord> rows, Set<String> ids) {

  static final Table EMPTY = new Table(List.of(), Set.of());

  /** A table with the rows of one more transaction. */
  public Table plus(String id, List<TestRecord> more) {
    List<TestRecord> allRows = new ArrayList<>(rows);
    allRows.addAll(more);
    Set<String> allIds = new HashSet<>(ids);
    allIds.add(id);
    return new Table(allRows, allIds);
  }
}
