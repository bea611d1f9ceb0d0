package dev.twophase.internal.engine;

import dev.twophase.error.OutcomeUnknownException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;

/**
 * Repeats a step with growing pauses until it succeeds or the time is up (C8). It runs at least
 * once, however late, because only the resource can say what became of it.
 */
public final class RetryLoop {

  /** What the loop has to say, in the words of whoever repeats. */
  public interface Report {

    /**
     * Called before each pause.
     *
     * @param left milliseconds until the deadline
     */
    void repeating(int attempt, Exception failure, long pauseMillis, long left);

    /** The message of the error that ends the loop. */
    String givingUp(int attempts, Duration took, Exception failure);
  }

  private final EngineClock clock;
  private final DoubleSupplier jitter;

  /**
   * @param jitter values from 0 to below 1
   */
  public RetryLoop(EngineClock clock, DoubleSupplier jitter) {
    this.clock = clock;
    this.jitter = jitter;
  }

  /**
   * Runs the step.
   *
   * @param limit how long it is repeated; zero for a single attempt
   * @param expiry wall-clock milliseconds after which repeating is of no use
   * @param repeatable whether repeating can mend a failure; interruption is never repeated
   * @throws OutcomeUnknownException if the time is up
   * @throws InterruptedException if interrupted while waiting
   */
  public <R> R run(
      Duration limit, long expiry, Callable<R> step, Predicate<Exception> repeatable, Report report)
      throws Exception {
    long start = clock.millis();
    long deadline = Math.min(start + limit.toMillis(), expiry);
    Backoff backoff = new Backoff(jitter);
    for (int attempt = 1; ; attempt++) {
      try {
        return step.call();
      } catch (InterruptedException interrupted) {
        throw interrupted;
      } catch (Exception failure) {
        if (!repeatable.test(failure)) {
          throw failure;
        }
        long now = clock.millis();
        long left = deadline - now;
        if (left <= 0) {
          throw new OutcomeUnknownException(
              report.givingUp(attempt, Duration.ofMillis(now - start), failure), failure);
        }
        long pause = Math.min(left, backoff.nextPauseMillis());
        report.repeating(attempt, failure, pause, left);
        clock.sleep(pause);
      }
    }
  }
}
