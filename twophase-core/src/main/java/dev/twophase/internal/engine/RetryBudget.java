package dev.twophase.internal.engine;

import dev.twophase.PreparedTransaction;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.OutcomeUnknownException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a step whose outcome is unknown, under the same handles, until it is known or the time is
 * up: the option or what is left of the transactions' lifetime, whichever is less (C7, C8). It is
 * tried at least once, however late, because only the resource can say what became of it.
 */
final class RetryBudget {

  private static final Logger LOG = LoggerFactory.getLogger(RetryBudget.class);

  private final Duration limit;
  private final Optional<Duration> lifetime;
  private final EngineClock clock;
  private final DoubleSupplier jitter;
  private final ProtocolListener listener;

  RetryBudget(
      Duration limit,
      Optional<Duration> lifetime,
      EngineClock clock,
      DoubleSupplier jitter,
      ProtocolListener listener) {
    this.limit = limit;
    this.lifetime = lifetime;
    this.clock = clock;
    this.jitter = jitter;
    this.listener = listener;
  }

  <R, H> R run(Collection<PreparedTransaction<H>> transactions, Callable<R> step) throws Exception {
    long start = clock.millis();
    Backoff backoff = new Backoff(jitter);
    for (int attempt = 1; ; attempt++) {
      try {
        return step.call();
      } catch (InterruptedException | CommitRefusedException notRetried) {
        throw notRetried;
      } catch (Exception error) {
        long now = clock.millis();
        long left = deadline(start, transactions) - now;
        if (left <= 0) {
          throw new OutcomeUnknownException(
              "The outcome of "
                  + describe(transactions)
                  + " is still unknown after "
                  + attempt
                  + " attempts in "
                  + Duration.ofMillis(now - start)
                  + ". Everything is kept; the restarted job will ask again. Last error: "
                  + error,
              error);
        }
        long pause = Math.min(left, backoff.nextPauseMillis());
        LOG.warn(
            "Outcome unknown of {}: attempt {} failed, next in {} ms, giving up at {}{}",
            describe(transactions),
            attempt,
            pause,
            Instant.ofEpochMilli(now + left),
            expiry(transactions),
            error);
        listener.retried();
        clock.sleep(pause);
      }
    }
  }

  private <H> long deadline(long start, Collection<PreparedTransaction<H>> transactions) {
    long deadline = start + limit.toMillis();
    if (lifetime.isPresent()) {
      deadline = Math.min(deadline, earliestBegin(transactions) + lifetime.get().toMillis());
    }
    return deadline;
  }

  private <H> String expiry(Collection<PreparedTransaction<H>> transactions) {
    return lifetime
        .map(time -> Instant.ofEpochMilli(earliestBegin(transactions) + time.toMillis()))
        .map(instant -> ", the resource gives up at " + instant)
        .orElse("");
  }

  private static <H> long earliestBegin(Collection<PreparedTransaction<H>> transactions) {
    long earliest = Long.MAX_VALUE / 2;
    for (PreparedTransaction<H> transaction : transactions) {
      earliest = Math.min(earliest, transaction.begunAt());
    }
    return earliest;
  }

  private static <H> String describe(Collection<PreparedTransaction<H>> transactions) {
    PreparedTransaction<H> first = transactions.iterator().next();
    String text =
        "transaction "
            + first.id()
            + " of checkpoint "
            + first.checkpointId()
            + " ("
            + first.records()
            + " records, prepared "
            + Instant.ofEpochMilli(first.preparedAt())
            + ")";
    return transactions.size() == 1 ? text : text + " and " + (transactions.size() - 1) + " others";
  }
}
