package dev.twophase.internal.flink;

import dev.twophase.PreparedTransaction;
import dev.twophase.error.PendingLimitException;
import dev.twophase.internal.engine.EngineClock;
import dev.twophase.internal.flink.setup.JobSetup;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.flink.metrics.MetricGroup;

/**
 * Counts what waits for its commit in one subtask, and refuses more than the cap (S3). Prepared
 * transactions pile up when checkpoints are taken but never complete; without a cap the state would
 * grow until the job fails in a way that nobody understands.
 */
public final class PendingTransactions {

  private record Pending(long checkpointId, long begunAt, long preparedAt, long bytes) {}

  private final String sinkName;
  private final SinkOptions options;
  private final EngineClock clock;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private long bytes;
  private volatile long count;
  private volatile long oldestPreparedAt;
  private volatile long oldestBegunAt;

  PendingTransactions(String sinkName, SinkOptions options, EngineClock clock) {
    this.sinkName = sinkName;
    this.options = options;
    this.clock = clock;
  }

  /** Counts from now on, and shows it in metrics. */
  public static PendingTransactions registered(
      String sinkName,
      SinkOptions options,
      JobSetup setup,
      Optional<Duration> lifetime,
      MetricGroup group) {
    PendingTransactions counted = new PendingTransactions(sinkName, options, EngineClock.system());
    counted.register(group, lifetime, setup.toleratedOutage(lifetime, options));
    return counted;
  }

  /** Registers the gauges: how many wait, how long the oldest has, how long it may. */
  void register(MetricGroup group, Optional<Duration> lifetime, Optional<Duration> outage) {
    group.gauge("preparedTransactions", () -> count);
    group.gauge("oldestPreparedAge", () -> count == 0 ? 0L : clock.millis() - oldestPreparedAt);
    lifetime.ifPresent(
        time ->
            group.gauge(
                "oldestPreparedTimeLeft",
                () ->
                    count == 0
                        ? time.toMillis()
                        : oldestBegunAt + time.toMillis() - clock.millis()));
    outage.ifPresent(time -> group.gauge("toleratedOutage", time::toMillis));
  }

  /**
   * Adds a transaction held by this checkpoint.
   *
   * @param handleBytes size of its binary form
   * @throws PendingLimitException if it is one too many; the checkpoint fails
   */
  public void add(PreparedTransaction<?> transaction, long checkpointId, long handleBytes)
      throws PendingLimitException {
    if (pending.size() + 1 > options.maxPendingTransactions()) {
      throw limit(
          (pending.size() + 1) + " prepared transactions",
          "maxPendingTransactions",
          options.maxPendingTransactions());
    }
    if (bytes + handleBytes > options.maxPendingBytes()) {
      throw limit(
          (bytes + handleBytes) + " bytes of handles",
          "maxPendingBytes",
          options.maxPendingBytes());
    }
    pending.add(
        new Pending(checkpointId, transaction.begunAt(), transaction.preparedAt(), handleBytes));
    bytes += handleBytes;
    publish();
  }

  private PendingLimitException limit(String found, String option, long value) {
    return new PendingLimitException(
        "Sink '"
            + sinkName
            + "' would have "
            + found
            + " waiting for a checkpoint to complete; "
            + option
            + " is "
            + value
            + ". Find out why checkpoints do not complete, or raise the option (SinkOptions"
            + ".withMaxPending)");
  }

  /** Forgets everything prepared up to this checkpoint (C4). */
  public void completed(long checkpointId) {
    Pending first = pending.peek();
    while (first != null && first.checkpointId() <= checkpointId) {
      bytes -= first.bytes();
      pending.remove();
      first = pending.peek();
    }
    publish();
  }

  private void publish() {
    Pending oldest = pending.peek();
    oldestPreparedAt = oldest == null ? 0 : oldest.preparedAt();
    oldestBegunAt = oldest == null ? 0 : oldest.begunAt();
    count = pending.size();
  }
}
