package dev.twophase.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Median, minimum and maximum of some rounds. */
public record Spread(double median, double min, double max) {

  /**
   * Summarises one figure per round.
   *
   * @throws IllegalArgumentException if there are none, or one is not a finite number
   */
  public static Spread of(List<Double> rounds) {
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("No rounds were measured");
    }
    double[] sorted = rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (!Arrays.stream(sorted).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("Not all rounds gave a number: " + rounds);
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /** The table cells of this spread: median, min, max. */
  public List<String> cells() {
    return List.of(number(median), number(min), number(max));
  }

  /** Three significant digits or all digits before the point, whichever is more. */
  static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }
}
