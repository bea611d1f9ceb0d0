package dev.twophase.benchmarks.run;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a comparison runs.
 *
 * @param rounds measured rounds, after one that warms up
 * @param scale factor on all sizes and durations; 1 is the size the targets are meant for
 * @param directory where files are written; created, and removed afterwards
 * @param profiles where each contender leaves a flight recording, if anywhere
 */
public record RunSettings(int rounds, double scale, Path directory, Optional<Path> profiles) {

  public RunSettings {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds must be at least 1: " + rounds);
    }
    if (!(scale > 0)) {
      throw new IllegalArgumentException("scale must be above 0: " + scale);
    }
  }

  /** A size of the full run, scaled, and at least 1. */
  public static long scaled(long size, double scale) {
    return Math.max(1, Math.round(size * scale));
  }
}
