package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What accuses the sink, one of each verdict and rule. */
final class Findings {

  /** Shortening takes many runs; after so many of one verdict, what is new is unlikely. */
  private static final int MOST_SHORTENED = 20;

  private final Map<Verdict, Integer> shortened = new EnumMap<>(Verdict.class);
  private final List<Judgement> all = new ArrayList<>();

  /** Whether one more schedule with this verdict is worth shortening. */
  boolean worthShortening(Verdict verdict) {
    return shortened.merge(verdict, 1, Integer::sum) <= MOST_SHORTENED;
  }

  /** Keeps a finding unless one with the same verdict and rule is known. */
  void keep(Judgement judgement) {
    for (Judgement known : all) {
      if (known.title().equals(judgement.title())) {
        return;
      }
    }
    all.add(judgement);
  }

  List<Judgement> all() {
    return all;
  }
}
