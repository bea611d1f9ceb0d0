package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One instance per cell, so that looking one up costs little and comparing two costs nothing. */
final class Cells {

  private final EnumMap<Verb, Map<String, Cell>> calls = new EnumMap<>(Verb.class);
  private final Map<String, Cell> events = new HashMap<>();
  private final Kinds kinds;

  Cells(Kinds kinds) {
    this.kinds = kinds;
  }

  /** Another one for the same sink, empty. */
  Cells empty() {
    return new Cells(kinds);
  }

  Cell call(Verb verb, String callClass) {
    Map<String, Cell> ofVerb = calls.get(verb);
    if (ofVerb == null) {
      ofVerb = new HashMap<>();
      calls.put(verb, ofVerb);
    }
    Cell cell = ofVerb.get(callClass);
    if (cell == null) {
      cell = new Cell(verb, callClass, kinds);
      ofVerb.put(callClass, cell);
    }
    return cell;
  }

  Cell event(String what) {
    Cell cell = events.get(what);
    if (cell == null) {
      cell = new Cell(null, what, kinds);
      events.put(what, cell);
    }
    return cell;
  }

  /** The cell here that stands for the same class of points. */
  Cell like(Cell other) {
    Verb where = other.where();
    return where == null ? event(other.what()) : call(where, other.what());
  }

  void add(Cells other) {
    for (Cell cell : other.all()) {
      like(cell).add(cell);
    }
  }

  List<Cell> all() {
    List<Cell> all = new ArrayList<>(events.values());
    calls.values().forEach(ofVerb -> all.addAll(ofVerb.values()));
    return all;
  }
}
