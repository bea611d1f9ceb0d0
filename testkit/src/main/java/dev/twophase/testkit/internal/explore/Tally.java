package dev.twophase.testkit.internal.explore;

import org.jspecify.annotations.Nullable;

/** What a number of schedules add up to. Not thread-safe. */
final class Tally {

  private final LongSet traces = new LongSet();
  private long executed;
  private long refuted;
  private long inconclusive;
  private long mistakes;
  private @Nullable String whyInconclusive;
  private long atRandom;
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

  /** One of the inconclusive ones is so because the test itself failed. */
  void mistakeOfTest(String why) {
    mistakes++;
    inconclusive(why);
  }

  void random() {
    atRandom++;
  }

  void cutShort() {
    cut = true;
  }

  void add(Tally other) {
    executed += other.executed;
    traces.addAll(other.traces);
    refuted += other.refuted;
    inconclusive += other.inconclusive;
    mistakes += other.mistakes;
    if (whyInconclusive == null) {
      whyInconclusive = other.whyInconclusive;
    }
    atRandom += other.atRandom;
    cut |= other.cut;
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

  long mistakesOfTest() {
    return mistakes;
  }

  String whyInconclusive() {
    return whyInconclusive == null ? "" : whyInconclusive;
  }

  long randomCount() {
    return atRandom;
  }

  boolean isCutShort() {
    return cut;
  }
}
