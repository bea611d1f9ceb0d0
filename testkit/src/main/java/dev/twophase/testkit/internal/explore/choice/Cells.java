package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One instance per cell, so that looking one up costs little and comparing two costs nothing. */
public final class Cells {

  /** Of one verb, or of the job. There are few in each. */
  private static final class Row {
    Cell[] cells = new Cell[4];
    int size;

    void add(Cell cell) {
      if (size == cells.length) {
        cells = Arrays.copyOf(cells, size * 2);
      }
      cells[size++] = cell;
    }
  }

  private final Map<Verb, Row> calls = new EnumMap<>(Verb.class);
  private final Row events = new Row();
  private final Kinds kinds;

  public Cells(Kinds kinds) {
    this.kinds = kinds;
  }

  /** Another one for the same sink, empty. */
  public Cells empty() {
    return new Cells(kinds);
  }

  Cell call(Verb verb, String callClass) {
    Row ofVerb = calls.get(verb);
    if (ofVerb == null) {
      ofVerb = new Row();
      calls.put(verb, ofVerb);
    }
    return find(ofVerb, verb, callClass);
  }

  public Cell event(String what) {
    return find(events, null, what);
  }

  /** Names are mostly constants: no hashing is as quick. */
  @SuppressWarnings("ReferenceEquality")
  private Cell find(Row known, @Nullable Verb where, String what) {
    Cell[] cells = known.cells;
    for (int i = 0; i < known.size; i++) {
      if (cells[i].what() == what) {
        return cells[i];
      }
    }
    for (int i = 0; i < known.size; i++) {
      if (cells[i].what().equals(what)) {
        return cells[i];
      }
    }
    Cell added = new Cell(where, what, kinds);
    known.add(added);
    return added;
  }

  /** The cell here that stands for the same class of points. */
  Cell like(Cell other) {
    Verb where = other.where();
    return where == null ? event(other.what()) : call(where, other.what());
  }

  public void add(Cells other) {
    for (Cell cell : other.all()) {
      like(cell).add(cell);
    }
  }

  public List<Cell> all() {
    List<Cell> all = new ArrayList<>(Arrays.asList(events.cells).subList(0, events.size));
    for (Row row : calls.values()) {
      all.addAll(Arrays.asList(row.cells).subList(0, row.size));
    }
    return all;
  }
}
