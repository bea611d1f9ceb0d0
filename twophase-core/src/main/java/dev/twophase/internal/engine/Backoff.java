package dev.twophase.internal.engine;

import java.util.function.DoubleSupplier;

/**
 * Pauses between retries (C8): doubling from 50 ms to 5 s, each shortened at random to between half
 * and all of itself, so that the subtasks of a job do not knock in step.
 */
public final class Backoff {

  private static final long FIRST_MILLIS = 50;
  private static final long MOST_MILLIS = 5_000;

  private final DoubleSupplier random;
  private long next = FIRST_MILLIS;

  /**
   * @param random values from 0 to below 1
   */
  public Backoff(DoubleSupplier random) {
    this.random = random;
  }

  public long nextPauseMillis() {
    long pause = next / 2 + (long) (next * random.getAsDouble() / 2);
    next = Math.min(MOST_MILLIS, next * 2);
    return Math.max(1, pause);
  }
}
