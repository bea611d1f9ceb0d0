package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an exploration adds up to. */
final class Tally {

  /** Shortening takes many runs; after so many of one verdict, what is new is unlikely. */
  private static final int MOST_SHORTENED = 20;

  private final Map<Verdict, Integer> shortened = new EnumMap<>(Verdict.class);
  private final Set<Long> traces = new HashSet<>();
  private final List<Judgement> findings = new ArrayList<>();
  private long executed;
  private long refuted;
  private long inconclusive;
  private @Nullable String whyInconclusive;
  private boolean cut;

  void executed(long trace, boolean faultFired) {
    executed++;
    if (faultFired) {
      traces.add(trace);
    }
  }

  void refuted() {
    refuted++;
  }

  void inconclusive(String why) {
    inconclusive++;
    if (whyInconclusive == null) {
      whyInconclusive = why;
    }
  }

  /** Whether one more schedule with this verdict is worth shortening. */
  boolean worthShortening(Verdict verdict) {
    return shortened.merge(verdict, 1, Integer::sum) <= MOST_SHORTENED;
  }

  void cutShort() {
    cut = true;
  }

  /** Keeps a finding unless one with the same verdict and rule is known. */
  void keep(Judgement judgement) {
    for (Judgement known : findings) {
      if (known.title().equals(judgement.title())) {
        return;
      }
    }
    findings.add(judgement);
  }

  List<Judgement> findings() {
    return findings;
  }

  long executedCount() {
    return executed;
  }

  long distinctCount() {
    return traces.size();
  }

  long refutedCount() {
    return refuted;
  }

  long inconclusiveCount() {
    return inconclusive;
  }

  String whyInconclusive() {
    return whyInconclusive == null ? "" : whyInconclusive;
  }

  boolean isCutShort() {
    return cut;
  }
}
