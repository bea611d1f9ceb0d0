package dev.twophase.internal.function;

import dev.twophase.error.OutcomeUnknownException;
import dev.twophase.internal.engine.EngineClock;
import dev.twophase.internal.engine.RetryLoop;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats commits whose outcome is unknown, with pauses, until a deadline (C7, C8). */
public final class CommitRetry {

  private static final Logger LOG = LoggerFactory.getLogger(CommitRetry.class);

  /** What is repeated. */
  @FunctionalInterface
  public interface Step {
    void run() throws Exception;
  }

  private final Duration limit;
  private final RetryLoop loop;
  private final Runnable retried;

  /**
   * @param limit how long a step is repeated; zero for a single attempt
   * @param jitter values from 0 to below 1
   * @param retried told of each repetition
   */
  public CommitRetry(Duration limit, EngineClock clock, DoubleSupplier jitter, Runnable retried) {
    this.limit = limit;
    this.loop = new RetryLoop(clock, jitter);
    this.retried = retried;
  }

  /**
   * Runs the step at least once, and again while it fails and there is time.
   *
   * @param what what is committed, for messages
   * @param expiry wall-clock milliseconds after which repeating is of no use
   * @param step what to run
   * @param repeatable asked after a failure whether it was one that repeating can mend
   * @throws OutcomeUnknownException if the time is up
   * @throws InterruptedException if interrupted while waiting
   */
  public void run(String what, long expiry, Step step, BooleanSupplier repeatable)
      throws Exception {
    loop.run(
        limit,
        expiry,
        () -> {
          step.run();
          return what;
        },
        failure -> repeatable.getAsBoolean(),
        new RetryLoop.Report() {
          @Override
          public void repeating(int attempt, Exception failure, long pause, long left) {
            LOG.warn("{}: attempt {} failed, next in {} ms", what, attempt, pause, failure);
            retried.run();
          }

          @Override
          public String givingUp(int attempts, Duration took, Exception failure) {
            return what
                + " is still not done after "
                + attempts
                + (attempts == 1 ? " attempt in " : " attempts in ")
                + took
                + " (setCommitTimeout is "
                + limit
                + "). It is kept, and tried again when the job has restarted. Last error: "
                + failure;
          }
        });
  }
}
