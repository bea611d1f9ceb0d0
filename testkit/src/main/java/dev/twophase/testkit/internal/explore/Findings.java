package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
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

  /** Fewest faults first, then fewest steps. */
  static final Comparator<Judgement> SIMPLEST =
      Comparator.<Judgement>comparingInt(Findings::faults)
          .thenComparingInt(judgement -> judgement.schedule().steps().size())
          .thenComparingInt(judgement -> judgement.schedule().toString().length())
          .thenComparing(judgement -> judgement.schedule().toString());

  /** Shortening takes many runs; after so many of one verdict, what is new is unlikely. */
  private static final int MOST_SHORTENED = 20;

  private final Map<Verdict, Integer> shortened = new EnumMap<>(Verdict.class);
  private final Set<String> reported = new HashSet<>();
  private final Map<String, Judgement> simplest = new TreeMap<>();

  /** Whether one more schedule with this verdict is worth shortening. */
  boolean worthShortening(Verdict verdict) {
    return shortened.merge(verdict, 1, Integer::sum) <= MOST_SHORTENED;
  }

  /** Whether nothing with the same verdict and rule is known. */
  boolean isNewKind(Judgement judgement) {
    return !simplest.containsKey(judgement.title());
  }

  /** Keeps a finding; returns whether it is new, and not one that had the same schedule before. */
  boolean keep(Judgement judgement) {
    simplest.merge(
        judgement.title(),
        judgement,
        (known, other) -> SIMPLEST.compare(other, known) < 0 ? other : known);
    return reported.add(judgement.verdict() + " " + judgement.schedule());
  }

  /** One for each verdict and rule, the simplest first. */
  List<Judgement> all() {
    List<Judgement> all = new ArrayList<>(simplest.values());
    all.sort(SIMPLEST);
    return all;
  }

  private static int faults(Judgement judgement) {
    int faults = 0;
    for (Step step : judgement.schedule().steps()) {
      faults += step.faults().size();
      faults +=
          switch (step.verb()) {
            case KILL, FAIL, LOSE, DOUBT, ABT, EXT -> 1;
            default -> 0;
          };
    }
    return faults;
  }
}
