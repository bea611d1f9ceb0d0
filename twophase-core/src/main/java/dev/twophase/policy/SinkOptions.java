package dev.twophase.policy;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * What a job author can choose for any sink. Immutable; each {@code with} method returns a changed
 * copy, and says at once if a value makes no sense.
 *
 * @param guarantee default {@link DeliveryGuarantee#EXACTLY_ONCE}
 * @param commitTimeout how long the commit of a checkpoint is retried before the job fails and
 *     Flink restarts it (C8); default 60 s
 * @param lossPolicy default {@link LossPolicy#fail()}
 * @param rewindPolicy default {@link RewindPolicy#FAIL}
 * @param maxPendingTransactions most prepared transactions of one subtask that may wait for their
 *     commit (S3); default 1,000
 * @param maxPendingBytes most bytes that their handles may take (S3); default 64 MiB
 * @param restartAllowance how long a restart may take; checked against the transaction lifetime
 *     (E3); default 60 s
 * @param flushInterval how often records become visible under AT_LEAST_ONCE and NONE, besides
 *     checkpoints; default 1 s
 */
public record SinkOptions(
    DeliveryGuarantee guarantee,
    Duration commitTimeout,
    LossPolicy lossPolicy,
    RewindPolicy rewindPolicy,
    int maxPendingTransactions,
    long maxPendingBytes,
    Duration restartAllowance,
    Duration flushInterval)
    implements Serializable {

  /** Beyond, sums of times would overflow. */
  private static final Duration LONGEST = Duration.ofDays(3_650);

  private static final SinkOptions DEFAULTS =
      new SinkOptions(
          DeliveryGuarantee.EXACTLY_ONCE,
          Duration.ofSeconds(60),
          LossPolicy.fail(),
          RewindPolicy.FAIL,
          1_000,
          64L << 20,
          Duration.ofSeconds(60),
          Duration.ofSeconds(1));

  public SinkOptions {
    Objects.requireNonNull(guarantee, "guarantee");
    Objects.requireNonNull(lossPolicy, "lossPolicy");
    Objects.requireNonNull(rewindPolicy, "rewindPolicy");
    requireBetween("commitTimeout", commitTimeout, Duration.ZERO);
    requireBetween("restartAllowance", restartAllowance, Duration.ZERO);
    requireBetween("flushInterval", flushInterval, Duration.ofMillis(1));
    requirePositive("maxPendingTransactions", maxPendingTransactions);
    requirePositive("maxPendingBytes", maxPendingBytes);
  }

  /** The defaults named above. */
  public static SinkOptions defaults() {
    return DEFAULTS;
  }

  public SinkOptions withGuarantee(DeliveryGuarantee value) {
    return new SinkOptions(
        value,
        commitTimeout,
        lossPolicy,
        rewindPolicy,
        maxPendingTransactions,
        maxPendingBytes,
        restartAllowance,
        flushInterval);
  }

  public SinkOptions withCommitTimeout(Duration value) {
    return new SinkOptions(
        guarantee,
        value,
        lossPolicy,
        rewindPolicy,
        maxPendingTransactions,
        maxPendingBytes,
        restartAllowance,
        flushInterval);
  }

  public SinkOptions withLossPolicy(LossPolicy value) {
    return new SinkOptions(
        guarantee,
        commitTimeout,
        value,
        rewindPolicy,
        maxPendingTransactions,
        maxPendingBytes,
        restartAllowance,
        flushInterval);
  }

  public SinkOptions withRewindPolicy(RewindPolicy value) {
    return new SinkOptions(
        guarantee,
        commitTimeout,
        lossPolicy,
        value,
        maxPendingTransactions,
        maxPendingBytes,
        restartAllowance,
        flushInterval);
  }

  public SinkOptions withMaxPending(int transactions, long bytes) {
    return new SinkOptions(
        guarantee,
        commitTimeout,
        lossPolicy,
        rewindPolicy,
        transactions,
        bytes,
        restartAllowance,
        flushInterval);
  }

  public SinkOptions withRestartAllowance(Duration value) {
    return new SinkOptions(
        guarantee,
        commitTimeout,
        lossPolicy,
        rewindPolicy,
        maxPendingTransactions,
        maxPendingBytes,
        value,
        flushInterval);
  }

  public SinkOptions withFlushInterval(Duration value) {
    return new SinkOptions(
        guarantee,
        commitTimeout,
        lossPolicy,
        rewindPolicy,
        maxPendingTransactions,
        maxPendingBytes,
        restartAllowance,
        value);
  }

  private static void requireBetween(String name, Duration value, Duration least) {
    Objects.requireNonNull(value, name);
    if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          name + " is " + value + ": use " + least + " to " + LONGEST);
    }
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + ": use 1 or more");
    }
  }
}
