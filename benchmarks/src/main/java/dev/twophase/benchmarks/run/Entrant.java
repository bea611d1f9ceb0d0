package dev.twophase.benchmarks.run;

import java.util.List;

/**
 * A contender as it is entered into a comparison.
 *
 * @param label names it in progress lines, tables and file names
 * @param type its implementation
 * @param variant passed to {@link Contender#open}
 * @param jvmFlags for its JVM
 */
public record Entrant(
    String label, Class<? extends Contender> type, String variant, List<String> jvmFlags) {

  public Entrant {
    jvmFlags = List.copyOf(jvmFlags);
  }
}
