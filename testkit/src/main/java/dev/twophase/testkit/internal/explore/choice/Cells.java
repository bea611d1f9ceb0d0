package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One instance per cell, so that looking one up costs little and comparing two costs nothing. */
public final class Cells {

  private final Map<Verb, List<Cell>> calls = new EnumMap<>(Verb.class);
  private final List<Cell> events = new ArrayList<>();
  private final Kinds kinds;

  public Cells(Kinds kinds) {
    this.kinds = kinds;
  }

  /** Another one for the same sink, empty. */
  public Cells empty() {
    return new Cells(kinds);
  }

  Cell call(Verb verb, String callClass) {
    List<Cell> ofVerb = calls.get(verb);
    if (ofVerb == null) {
      ofVerb = new ArrayList<>();
      calls.put(verb, ofVerb);
    }
    return find(ofVerb, verb, callClass);
  }

  public Cell event(String what) {
    return find(events, null, what);
  }

  /** There are few of each verb, and names are mostly constants: no hashing is as quick. */
  @SuppressWarnings("ReferenceEquality")
  private Cell find(List<Cell> known, @Nullable Verb where, String what) {
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).what() == what) {
        return known.get(i);
      }
    }
    for (Cell cell : known) {
      if (cell.what().equals(what)) {
        return cell;
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
    List<Cell> all = new ArrayList<>(events);
    calls.values().forEach(all::addAll);
    return all;
  }
}
