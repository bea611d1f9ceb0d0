package dev.twophase.testkit.internal.explore.choice;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a class of points was covered.
 *
 * @param point what can go wrong, and in which step
 * @param ways in which it can
 */
public record Coverage(String point, List<Way> ways) {

  private static final String EVENT = " in job";

  private static final Map<String, List<String>> WAYS_OF_EVENTS =
      Map.ofEntries(
          Map.entry("completion", List.of("aborted", "doubtful", "late", "overtaken")),
          Map.entry("end of an attempt", List.of("killed", "fails", "lost")),
          Map.entry(
              "end of one of two",
              List.of(
                  "first killed",
                  "first fails",
                  "second killed",
                  "second fails",
                  "first lost",
                  "second lost")),
          Map.entry("ntf", List.of("lost", "twice", "late", "later")),
          Map.entry("nab", List.of("lost")),
          Map.entry("restore doubtful", List.of("restored")),
          Map.entry("savepoint", List.of("taken")),
          Map.entry("taken back", List.of("to none", "further back", "further back")),
          Map.entry("outage", List.of("for a step")),
          Map.entry("neighbour", List.of("moves in")),
          Map.entry("clock", List.of("an hour later")),
          Map.entry("expiry", List.of("all")),
          Map.entry("rescale", List.of("to 1 or 3", "doubled")),
          Map.entry("zombie", List.of("input", "barrier", "fails", "told")));

  /**
   * One way of going wrong.
   *
   * @param name letter of a kind of fault, or a word
   * @param fired how often it came about
   * @param impossible how often something else made it impossible
   */
  public record Way(String name, long fired, long impossible) {}

  public Coverage {
    ways = List.copyOf(ways);
  }

  /** Whether it is a call, and its ways are kinds of fault. */
  public boolean isCall() {
    return !point.endsWith(EVENT);
  }

  /** Names of the ways in which an event can go wrong. */
  static List<String> waysOf(String event) {
    return WAYS_OF_EVENTS.getOrDefault(event, List.of());
  }

  /** By option, of which 0 is the normal one. */
  static Coverage of(String point, List<String> names, long[] fired, long[] impossible) {
    List<Way> ways = new ArrayList<>();
    for (int option = 1; option < fired.length; option++) {
      String name = option <= names.size() ? names.get(option - 1) : "way " + option;
      ways.add(new Way(name, fired[option], impossible[option]));
    }
    return new Coverage(point, ways);
  }
}
