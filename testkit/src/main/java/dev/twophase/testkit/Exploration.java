package dev.twophase.testkit;

import dev.twophase.testkit.internal.oracle.Printable;
import dev.twophase.testkit.internal.trace.Secrets;
import dev.twophase.testkit.schedule.Schedule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an exploration showed.
 *
 * @param bound how far it was to go
 * @param schedules number of schedules executed
 * @param distinct number of them that had a fault fired and differ in what was called
 * @param refuted number of them that accuse the sink
 * @param inconclusive number of them that prove nothing
 * @param mistakes number of those in which a method failed that belongs to the test, and not to the
 *     sink
 * @param whyInconclusive why the first of those does; empty if there is none
 * @param random number of the schedules executed that were chosen at random, beyond the bound
 * @param cutShort whether the budget ended it
 * @param completed up to how many faults all schedules were run and prove something; -1 if not even
 *     those without any
 * @param findings the simplest schedule for each verdict and rule, the simplest of them first
 * @param unrepeated schedules that accused the sink, and did not when they were repeated: the sink
 *     or the test is not deterministic
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
    long mistakes,
    String whyInconclusive,
    long random,
    boolean cutShort,
    int completed,
    List<Judgement> findings,
    List<Schedule> unrepeated,
    Map<String, Long> firings,
    List<String> unreached,
    Duration took) {

  private static final int MOST_INCONCLUSIVE_PERCENT = 1;

  public Exploration {
    whyInconclusive = Printable.of(Secrets.masked(whyInconclusive));
    findings = List.copyOf(findings);
    unrepeated = List.copyOf(unrepeated);
    firings = Map.copyOf(firings);
    unreached = List.copyOf(unreached);
  }

  /** Whether every schedule up to the bound was run and proves something. */
  public boolean exhausted() {
    return schedules > 0 && !cutShort && inconclusive == 0 && unreached.isEmpty();
  }

  /** Whether it is complete up to as many faults as {@link Bound#required} asks for. */
  public boolean sufficient() {
    return completed >= bound.required();
  }

  /** Whether nothing accuses the sink and nearly every run proves something. */
  public boolean passed() {
    return refuted == 0 && !tooInconclusive();
  }

  /**
   * Whether so many runs prove nothing that the whole does not; one failure of the test suffices.
   */
  public boolean tooInconclusive() {
    return mistakes > 0 || inconclusive * 100 > schedules * MOST_INCONCLUSIVE_PERCENT;
  }

  /** Calls that could have gone wrong somewhere, and never did in any way. */
  public List<String> neverStruck() {
    Map<String, Long> ofCall = new TreeMap<>();
    for (String point : unreached) {
      if (!point.endsWith(" in job")) {
        ofCall.put(callOf(point), 0L);
      }
    }
    firings.forEach((point, count) -> ofCall.computeIfPresent(callOf(point), (c, n) -> n + count));
    return ofCall.entrySet().stream()
        .filter(call -> call.getValue() == 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether one of these is made when a checkpoint's barrier passes, or is made to commit. */
  public boolean commitsUnstruck() {
    List<String> never = neverStruck();
    return unreached.stream()
        .filter(point -> point.endsWith(" in ntf") || point.endsWith(" in bar"))
        .anyMatch(point -> never.contains(callOf(point)));
  }

  private static String callOf(String point) {
    return point.substring(0, Math.max(0, point.lastIndexOf(" in ")));
  }

  /** Schedules executed in a second of real time, on all cores that were used. */
  public long perSecond() {
    return schedules * 1_000 / Math.max(1, took.toMillis());
  }

  private String lowerBound() {
    return completed < 0 ? "" : ", complete up to " + counted(completed, "fault");
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  /** One line for people. */
  public String describe() {
    long millis = Math.max(1, took.toMillis());
    return (exhausted() ? "exhausted " : "not exhausted: ")
        + counted(bound.faults(), "fault")
        + ", parallelism "
        + bound.parallelism()
        + ", "
        + counted(bound.checkpoints(), "checkpoint")
        + "; "
        + schedules
        + " schedules ("
        + distinct
        + " distinct) in "
        + millis
        + " ms ("
        + perSecond()
        + " per second), "
        + refuted
        + " refuted"
        + (refuted > 0 && findings.isEmpty() ? " (but not on repetition), " : ", ")
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
