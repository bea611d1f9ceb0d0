package dev.twophase.benchmarks.kafka;

/**
 * How many records a job gets, so that it runs for about so long: by the rate of the job before it.
 * A job that is over much sooner, as the first ones of a JVM that has become warm are, says nothing
 * and has to be run again: its only checkpoint that counts may be one of its first moments, with a
 * handful of records. One that takes longer than wanted always counts.
 */
final class JobLength {

  /** Of the time wanted; that of several checkpoints. */
  private static final double LEAST = 0.7;

  /** A side whose rate cannot be foreseen at all is measured nevertheless. */
  private static final int MOST_REPETITIONS = 4;

  private final double wantedSeconds;
  private long records;
  private boolean tooShort;
  private int repetitions;

  JobLength(long firstRecords, double wantedSeconds) {
    this.records = firstRecords;
    this.wantedSeconds = wantedSeconds;
  }

  /** Of the next job. */
  long records() {
    return records;
  }

  /** The job has taken so long, from its first record to its last. */
  void took(double seconds) {
    tooShort = seconds < LEAST * wantedSeconds;
    repetitions = tooShort ? repetitions + 1 : 0;
    records = Math.max(1, Math.round(records / seconds * wantedSeconds));
  }

  /** Whether the last job was too short, and the next one may be longer. */
  boolean saysNothing() {
    return tooShort && repetitions <= MOST_REPETITIONS;
  }
}
