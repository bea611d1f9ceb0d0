package dev.twophase.testkit;

import java.time.Duration;
import java.util.Objects;

/**
 * How far an exploration goes. Immutable; each {@code with} method returns a changed copy.
 *
 * @param faults most faults in one schedule, 0 to 8; a restart after one, and one change of
 *     parallelism, are free
 * @param parallelism number of subtasks at the start, 1 to 64
 * @param checkpoints number of checkpoints before settling, 1 to 32
 * @param budget after which time no new schedule is begun; what is reported then is a lower bound,
 *     never "exhausted"
 * @param random how many schedules with more faults are tried besides, chosen at random; none of
 *     them once the budget is used up
 * @param seed which of them; the same seed chooses the same
 * @param required up to how many faults the exploration must be complete: a contract whose budget
 *     is used up before fails in its last node; -1 (the default) if it may be as far as it is
 */
public record Bound(
    int faults,
    int parallelism,
    int checkpoints,
    Duration budget,
    int random,
    long seed,
    int required) {

  /**
   * The system property that names the profile: {@code pull-request} (default), {@code nightly}.
   */
  public static final String PROFILE_PROPERTY = "twophase.profile";

  private static final int NOTHING_REQUIRED = -1;
  private static final int MOST_FAULTS = 8;
  private static final int MOST_SUBTASKS = 64;
  private static final int MOST_CHECKPOINTS = 32;

  /**
   * @throws IllegalArgumentException if a number is outside the range above, the budget or the
   *     number of random schedules is negative, or more faults are required than it goes to
   */
  public Bound {
    Objects.requireNonNull(budget, "budget");
    refuseUnless("faults", faults, 0, MOST_FAULTS);
    refuseUnless("parallelism", parallelism, 1, MOST_SUBTASKS);
    refuseUnless("checkpoints", checkpoints, 1, MOST_CHECKPOINTS);
    refuseUnless("required", required, NOTHING_REQUIRED, faults);
    if (random < 0) {
      throw new IllegalArgumentException("random must not be negative: " + random);
    }
    if (budget.isNegative()) {
      throw new IllegalArgumentException("budget must not be negative: " + budget);
    }
  }

  /** What no budget of a build would ever come near is a slip of the pen. */
  private static void refuseUnless(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          what + " must be from " + least + " to " + most + ": " + value);
    }
  }

  /** Nothing required. */
  public Bound(
      int faults, int parallelism, int checkpoints, Duration budget, int random, long seed) {
    this(faults, parallelism, checkpoints, budget, random, seed, NOTHING_REQUIRED);
  }

  /** Nothing at random, and nothing required. */
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

  /**
   * At most so many faults in one schedule, and no more required.
   *
   * @throws IllegalArgumentException unless from 0 to 8
   */
  public Bound withFaults(int value) {
    int most = Math.min(required, value);
    return new Bound(value, parallelism, checkpoints, budget, random, seed, most);
  }

  /**
   * So many subtasks at the start.
   *
   * @throws IllegalArgumentException unless from 1 to 64
   */
  public Bound withParallelism(int value) {
    return new Bound(faults, value, checkpoints, budget, random, seed, required);
  }

  /**
   * So many checkpoints before settling.
   *
   * @throws IllegalArgumentException unless from 1 to 32
   */
  public Bound withCheckpoints(int value) {
    return new Bound(faults, parallelism, value, budget, random, seed, required);
  }

  /**
   * No new schedule is begun after this time.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public Bound withBudget(Duration value) {
    return new Bound(faults, parallelism, checkpoints, value, random, seed, required);
  }

  /**
   * Tries this many schedules at random, after the others.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public Bound withRandom(int schedules, long newSeed) {
    return new Bound(faults, parallelism, checkpoints, budget, schedules, newSeed, required);
  }

  /**
   * Fails a contract in its last node unless all schedules with up to so many faults were run and
   * prove something.
   *
   * @throws IllegalArgumentException unless from -1, for nothing, to the faults it goes to
   */
  public Bound withRequired(int value) {
    return new Bound(faults, parallelism, checkpoints, budget, random, seed, value);
  }
}
