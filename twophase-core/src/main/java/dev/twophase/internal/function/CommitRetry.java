package dev.twophase.internal.function;

import dev.twophase.error.OutcomeUnknownException;
import dev.twophase.internal.engine.Backoff;
import dev.twophase.internal.engine.EngineClock;
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
  private final EngineClock clock;
  private final DoubleSupplier jitter;
  private final Runnable retried;

  /**
   * @param limit how long a step is repeated; zero for a single attempt
   * @param jitter values from 0 to below 1
   * @param retried told of each repetition
   */
  public CommitRetry(Duration limit, EngineClock clock, DoubleSupplier jitter, Runnable retried) {
    this.limit = limit;
    this.clock = clock;
    this.jitter = jitter;
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
    long start = clock.millis();
    Backoff backoff = new Backoff(jitter);
    for (int attempt = 1; ; attempt++) {
      try {
        step.run();
        return;
      } catch (InterruptedException interrupted) {
        throw interrupted;
      } catch (Exception failure) {
        if (!repeatable.getAsBoolean()) {
          throw failure;
        }
        long now = clock.millis();
        long left = Math.min(start + limit.toMillis(), expiry) - now;
        if (left <= 0) {
          throw new OutcomeUnknownException(
              what
                  + " is still not done after "
                  + attempt
                  + (attempt == 1 ? " attempt in " : " attempts in ")
                  + Duration.ofMillis(now - start)
                  + " (setCommitTimeout is "
                  + limit
                  + "). It is kept, and tried again when the job has restarted. Last error: "
                  + failure,
              failure);
        }
        long pause = Math.min(left, backoff.nextPauseMillis());
        LOG.warn("{}: attempt {} failed, next in {} ms", what, attempt, pause, failure);
        retried.run();
        clock.sleep(pause);
      }
    }
  }
}
