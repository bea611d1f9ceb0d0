package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What accuses the sink, the simplest schedule for each verdict and rule. */
final class Findings {

  /** Fewest faults first, then fewest subtasks, then fewest steps. */
  static final Comparator<Judgement> SIMPLEST =
      Comparator.<Judgement>comparingInt(Findings::faults)
          .thenComparingInt(judgement -> judgement.schedule().parallelism())
          .thenComparingInt(judgement -> judgement.schedule().steps().size())
          .thenComparingInt(judgement -> judgement.schedule().toString().length())
          .thenComparing(judgement -> judgement.schedule().toString());

  /** Shortening takes many runs; after so many of one verdict, only what is new by its rule is. */
  private static final int MOST_SHORTENED = 20;

  private final Map<Verdict, Integer> shortened = new EnumMap<>(Verdict.class);
  private final Set<String> kindsShortened = new HashSet<>();
  private final Set<String> reported = new HashSet<>();
  private final Map<String, Judgement> simplest = new TreeMap<>();

  /**
   * Whether a schedule is worth shortening: one with the same verdict and rule, as it was found,
   * was shortened before if it is not.
   */
  boolean worthShortening(Judgement found) {
    boolean newKind = kindsShortened.add(found.title());
    return shortened.merge(found.verdict(), 1, Integer::sum) <= MOST_SHORTENED || newKind;
  }

  /**
   * Keeps a finding; returns whether it is new, and not one that had the same schedule before, from
   * whatever kind of source.
   */
  boolean keep(Judgement judgement) {
    simplest.merge(
        judgement.title(),
        judgement,
        (known, other) -> SIMPLEST.compare(other, known) < 0 ? other : known);
    return reported.add(kind(judgement));
  }

  /** Whether {@link #keep} would take it for new. */
  boolean isNew(Judgement judgement) {
    return !reported.contains(kind(judgement));
  }

  private static String kind(Judgement judgement) {
    Schedule schedule = judgement.schedule();
    return judgement.verdict() + " p=" + schedule.parallelism() + " " + schedule.steps();
  }

  /** The same finding in other words. */
  static Judgement retold(Judgement found, String why) {
    return new Judgement(
        found.schedule(), found.verdict(), found.found(), found.rules(), found.records(), why);
  }

  /** One for each verdict and rule, the simplest first. */
  List<Judgement> all() {
    List<Judgement> all = new ArrayList<>(simplest.values());
    all.sort(SIMPLEST);
    return all;
  }

  /** A restart is one, too, where nothing before it has failed: the former attempt is ended. */
  private static int faults(Judgement judgement) {
    int faults = 0;
    boolean first = true;
    for (Step step : judgement.schedule().steps()) {
      faults += step.faults().size();
      faults +=
          switch (step.verb()) {
            case KILL, FAIL, LOSE, DOUBT, ABT, EXT -> 1;
            case UP -> faults == 0 && !first ? 1 : 0;
            default -> 0;
          };
      first = false;
    }
    return faults;
  }
}
