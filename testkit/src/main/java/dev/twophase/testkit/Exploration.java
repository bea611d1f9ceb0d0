package dev.twophase.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What an exploration showed.
 *
 * @param bound how far it was to go
 * @param schedules number of schedules executed
 * @param distinct number of them that had a fault fired and differ in what was called
 * @param refuted number of them that accuse the sink
 * @param inconclusive number of them that prove nothing
 * @param whyInconclusive why the first of those does; empty if there is none
 * @param random number of the schedules executed that were chosen at random, beyond the bound
 * @param cutShort whether the budget ended it
 * @param completed up to how many faults all schedules were run and prove something; -1 if not even
 *     those without any
 * @param findings one of the shortest schedules for each verdict and rule
 * @param firings how often something went wrong, by class of point
 * @param unreached classes of points at which something never went wrong that could have
 * @param took how long it took
 */
public record Exploration(
    Bound bound,
    long schedules,
    long distinct,
    long refuted,
    long inconclusive,
    String whyInconclusive,
    long random,
    boolean cutShort,
    int completed,
    List<Judgement> findings,
    Map<String, Long> firings,
    List<String> unreached,
    Duration took) {

  private static final int MOST_INCONCLUSIVE_PERCENT = 1;

  public Exploration {
    findings = List.copyOf(findings);
    firings = Map.copyOf(firings);
    unreached = List.copyOf(unreached);
  }

  /** Whether every schedule up to the bound was run and proves something. */
  public boolean exhausted() {
    return !cutShort && inconclusive == 0 && unreached.isEmpty();
  }

  /** Whether nothing accuses the sink and nearly every run proves something. */
  public boolean passed() {
    return refuted == 0 && !tooInconclusive();
  }

  /** Whether so many runs prove nothing that the whole does not. */
  public boolean tooInconclusive() {
    return inconclusive * 100 > schedules * MOST_INCONCLUSIVE_PERCENT;
  }

  /** Schedules executed in a second of real time, on all cores that were used. */
  public long perSecond() {
    return schedules * 1_000 / Math.max(1, took.toMillis());
  }

  private String lowerBound() {
    return completed < 0
        ? ""
        : ", complete up to " + completed + (completed == 1 ? " fault" : " faults");
  }

  /** One line for people. */
  public String describe() {
    long millis = Math.max(1, took.toMillis());
    return (exhausted() ? "exhausted " : "not exhausted: ")
        + bound.faults()
        + " faults, parallelism "
        + bound.parallelism()
        + ", "
        + bound.checkpoints()
        + " checkpoints; "
        + schedules
        + " schedules ("
        + distinct
        + " distinct) in "
        + millis
        + " ms ("
        + perSecond()
        + " per second), "
        + refuted
        + " refuted, "
        + inconclusive
        + " inconclusive"
        + (whyInconclusive.isEmpty() ? "" : " (first: " + whyInconclusive + ")")
        + (random > 0
            ? ", " + random + " of them with more faults at random (seed " + bound.seed() + ")"
            : "")
        + (cutShort ? ", cut short by the budget" + lowerBound() : "")
        + (unreached.isEmpty() ? "" : ", never reached: " + unreached);
  }
}
