package dev.twophase.gallery;

import java.util.List;
import java.util.Locale;

/**
 * What the figures are, and whether they suffice.
 *
 * @param killed mutants that were refuted
 * @param mutants there are
 * @param mostFaults that one of them took
 * @param medianSeconds to refute one
 * @param accusations of correct sinks
 * @param inconclusive schedules of correct sinks that proved nothing
 * @param exhausted whether the reference sink was, in its time
 * @param protocol schedules in a second of one core
 * @param operator the same on Flink's operators
 * @param cluster schedules in a second on a cluster
 */
record Results(
    int killed,
    int mutants,
    int mostFaults,
    double medianSeconds,
    long accusations,
    long inconclusive,
    boolean exhausted,
    long protocol,
    long operator,
    double cluster) {

  private static final int MOST_FAULTS = 2;

  /** A line for each: those of speed are told, and do not decide, for the machine has a say. */
  List<String> targets() {
    return List.of(
        line("mutants killed", killed, "=", mutants, killed == mutants),
        line("max faults", mostFaults, "<=", MOST_FAULTS, mostFaults <= MOST_FAULTS),
        line("median s", medianSeconds, "<=", 1, medianSeconds <= 1),
        line("false accusations", accusations, "=", 0, accusations == 0),
        line("inconclusive", inconclusive, "=", 0, inconclusive == 0),
        "target reference sink exhausted to two faults in 60 s: " + met(exhausted),
        line("protocol schedules/s/core", protocol, ">=", 50_000, protocol >= 50_000),
        line("operator schedules/s/core", operator, ">=", 600, operator >= 600),
        line("cluster schedules/s", cluster, ">=", 5, cluster >= 5));
  }

  private static String line(String what, double figure, String relation, int target, boolean met) {
    return String.format(
        Locale.ROOT, "target %s %s %d: %s with %.1f", what, relation, target, met(met), figure);
  }

  private static String met(boolean met) {
    return met ? "met" : "MISSED";
  }

  /** Whether the kit refutes what is broken, with few faults, and accuses nothing else. */
  boolean proven() {
    return killed == mutants
        && mostFaults <= MOST_FAULTS
        && accusations == 0
        && inconclusive == 0
        && exhausted;
  }

  /** The last line. */
  String summary() {
    return String.format(
        Locale.ROOT,
        "mutants killed %d/%d, max faults %d, median s %.2f, false accusations %d, protocol"
            + " schedules/s/core %d, operator schedules/s/core %d, cluster schedules/s %.1f",
        killed,
        mutants,
        mostFaults,
        medianSeconds,
        accusations,
        protocol,
        operator,
        cluster);
  }
}
