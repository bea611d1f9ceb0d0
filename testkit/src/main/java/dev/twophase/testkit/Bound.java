package dev.twophase.testkit;

import java.time.Duration;
import java.util.Objects;

/**
 * How far an exploration goes. Immutable; each {@code with} method returns a changed copy.
 *
 * @param faults most faults in one schedule; a restart after one, and one change of parallelism,
 *     are free
 * @param parallelism number of subtasks at the start
 * @param checkpoints number of checkpoints before settling
 * @param budget after which time no new schedule is begun; what is reported then is a lower bound,
 *     never "exhausted"
 * @param random how many schedules with more faults are tried besides, chosen at random; none of
 *     them once the budget is used up
 * @param seed which of them; the same seed chooses the same
 */
public record Bound(
    int faults, int parallelism, int checkpoints, Duration budget, int random, long seed) {

  /**
   * The system property that names the profile: {@code pull-request} (default), {@code nightly}.
   */
  public static final String PROFILE_PROPERTY = "twophase.profile";

  public Bound {
    Objects.requireNonNull(budget, "budget");
    if (faults < 0) {
      throw new IllegalArgumentException("faults must not be negative: " + faults);
    }
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism must be at least 1: " + parallelism);
    }
    if (checkpoints < 1) {
      throw new IllegalArgumentException("checkpoints must be at least 1: " + checkpoints);
    }
    if (random < 0) {
      throw new IllegalArgumentException("random must not be negative: " + random);
    }
    if (budget.isNegative()) {
      throw new IllegalArgumentException("budget must not be negative: " + budget);
    }
  }

  /** Nothing at random. */
  public Bound(int faults, int parallelism, int checkpoints, Duration budget) {
    this(faults, parallelism, checkpoints, budget, 0, 1);
  }

  /** One fault, two subtasks, two checkpoints, one minute. */
  public static Bound oneFault() {
    return new Bound(1, 2, 2, Duration.ofMinutes(1));
  }

  /** Two faults, two subtasks, two checkpoints, ten thousand more at random, half an hour. */
  public static Bound nightly() {
    return oneFault().withFaults(2).withBudget(Duration.ofMinutes(30)).withRandom(10_000, 1);
  }

  /**
   * The bound of the profile that the system property {@value #PROFILE_PROPERTY} names: {@link
   * #oneFault()} for {@code pull-request}, the default, and {@link #nightly()} for {@code nightly}.
   *
   * @throws IllegalArgumentException if it names another
   */
  public static Bound ofProfile() {
    String profile = System.getProperty(PROFILE_PROPERTY, "pull-request");
    return switch (profile) {
      case "pull-request" -> oneFault();
      case "nightly" -> nightly();
      default ->
          throw new IllegalArgumentException(
              PROFILE_PROPERTY + "=" + profile + ": use pull-request or nightly");
    };
  }

  public Bound withFaults(int value) {
    return new Bound(value, parallelism, checkpoints, budget, random, seed);
  }

  public Bound withParallelism(int value) {
    return new Bound(faults, value, checkpoints, budget, random, seed);
  }

  public Bound withCheckpoints(int value) {
    return new Bound(faults, parallelism, value, budget, random, seed);
  }

  public Bound withBudget(Duration value) {
    return new Bound(faults, parallelism, checkpoints, value, random, seed);
  }

  /** Tries this many schedules at random, after the others. */
  public Bound withRandom(int schedules, long newSeed) {
    return new Bound(faults, parallelism, checkpoints, budget, schedules, newSeed);
  }
}
