package dev.twophase.internal.engine;

import dev.twophase.PreparedTransaction;
import dev.twophase.error.CommitRefusedException;
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
 * up: the option or what is left of the transactions' lifetime, whichever is less (C7, C8).
 */
final class RetryBudget {

  private static final Logger LOG = LoggerFactory.getLogger(RetryBudget.class);

  private final Duration limit;
  private final Optional<Duration> lifetime;
  private final RetryLoop loop;
  private final ProtocolListener listener;

  RetryBudget(
      Duration limit,
      Optional<Duration> lifetime,
      EngineClock clock,
      DoubleSupplier jitter,
      ProtocolListener listener) {
    this.limit = limit;
    this.lifetime = lifetime;
    this.loop = new RetryLoop(clock, jitter);
    this.listener = listener;
  }

  <R, H> R run(Collection<PreparedTransaction<H>> transactions, Callable<R> step) throws Exception {
    return loop.run(
        limit,
        lifetime.map(time -> earliestBegin(transactions) + time.toMillis()).orElse(Long.MAX_VALUE),
        step,
        failure -> !(failure instanceof CommitRefusedException),
        new RetryLoop.Report() {
          @Override
          public void repeating(int attempt, Exception failure, long pause, long left) {
            LOG.warn(
                "Outcome unknown of {}: attempt {} failed, next in {} ms, giving up in {} ms{}",
                describe(transactions),
                attempt,
                pause,
                left,
                expiry(transactions),
                failure);
            listener.retried();
          }

          @Override
          public String givingUp(int attempts, Duration took, Exception failure) {
            return "The outcome of "
                + describe(transactions)
                + " is still unknown after "
                + attempts
                + " attempts in "
                + took
                + ". Everything is kept; the restarted job will ask again. Last error: "
                + failure;
          }
        });
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
            + " of sink '"
            + first.id().sinkName()
            + "', subtask "
            + first.id().subtask()
            + ", of checkpoint "
            + first.checkpointId()
            + " ("
            + first.records()
            + " records, prepared "
            + Instant.ofEpochMilli(first.preparedAt())
            + ")";
    return transactions.size() == 1 ? text : text + " and " + (transactions.size() - 1) + " others";
  }
}
