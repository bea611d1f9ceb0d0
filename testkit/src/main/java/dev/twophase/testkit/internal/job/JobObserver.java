package dev.twophase.testkit.internal.job;

import org.jspecify.annotations.Nullable;

/** Told of everything that has been asked of a sink, right after it. */
public interface JobObserver {

  /** Observes nothing. */
  JobObserver NONE = new JobObserver() {};

  /**
   * Something was asked of an attempt, and came to an end.
   *
   * @param error what the attempt died of; null if it lives, or was killed
   */
  default void observed(
      Operation operation, RunningAttempt<?> attempt, @Nullable Throwable error) {}

  /** What can be asked of an attempt. */
  enum Operation {
    START,
    INPUT,
    SNAPSHOT,
    NOTIFY_COMPLETE,
    NOTIFY_ABORTED,
    END_OF_INPUT,
    CLOCK,
    CLOSE
  }
}
