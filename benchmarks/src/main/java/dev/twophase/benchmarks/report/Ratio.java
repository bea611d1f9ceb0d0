package dev.twophase.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How much better ours was, round by round; above 1 = ours is better. */
public record Ratio(String name, Spread spread) {

  /**
   * Divides round by round, so that whatever slowed both sides of a round down cancels out.
   *
   * @param better per round; where less is better, pass theirs here
   * @param worse per round, as many as {@code better}
   * @throws IllegalArgumentException if the numbers of rounds differ
   */
  public static Ratio of(String name, List<Double> better, List<Double> worse) {
    if (better.size() != worse.size()) {
      throw new IllegalArgumentException(
          "One side has " + better.size() + " rounds, the other " + worse.size());
    }
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < better.size(); round++) {
      ratios.add(better.get(round) / worse.get(round));
    }
    return new Ratio(name, Spread.of(ratios));
  }

  /** The line a comparison ends with. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "ratio %s median %.2f min %.2f max %.2f",
        name,
        spread.median(),
        spread.min(),
        spread.max());
  }
}
