package dev.twophase.internal.function;

import dev.twophase.error.PendingLimitException;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.metrics.MetricGroup;

/**
 * What is known of prepared transactions besides what Flink's base class keeps: since when they
 * exist and how large their handles are. Caps both (S3).
 */
public final class PreparedLedger implements Serializable {

  private static final long serialVersionUID = 1L;

  private record Entry(long begunAt, long preparedAt, long bytes) implements Serializable {}

  private final TreeMap<Long, Entry> entries = new TreeMap<>();
  private int maxTransactions = 1_000;
  private long maxBytes = 64L << 20;
  private long bytes;
  private volatile long count;
  private volatile long oldestPreparedAt;

  /**
   * Sets the cap.
   *
   * @throws IllegalArgumentException if one is not positive
   */
  public void setLimit(int transactions, long limitBytes) {
    if (transactions <= 0 || limitBytes <= 0) {
      throw new IllegalArgumentException(
          "maxPending is "
              + transactions
              + " transactions, "
              + limitBytes
              + " bytes: use 1 or more of both");
    }
    maxTransactions = transactions;
    maxBytes = limitBytes;
  }

  /** Registers the gauges: how many wait for their commit, and how long the oldest has. */
  public void register(MetricGroup group) {
    group.gauge("preparedTransactions", () -> count);
    group.gauge(
        "oldestPreparedAge", () -> count == 0 ? 0L : System.currentTimeMillis() - oldestPreparedAt);
  }

  /** Adds what this checkpoint holds. */
  public void add(long checkpointId, long begunAt, long preparedAt, long handleBytes) {
    entries.put(checkpointId, new Entry(begunAt, preparedAt, handleBytes));
    bytes += handleBytes;
    publish();
  }

  /** Forgets what has been committed. */
  public void remove(long checkpointId) {
    Entry entry = entries.remove(checkpointId);
    if (entry != null) {
      bytes -= entry.bytes();
    }
    publish();
  }

  /** Forgets everything. */
  public void clear() {
    entries.clear();
    bytes = 0;
    publish();
  }

  /**
   * When a transaction's lifetime ends, in wall-clock milliseconds.
   *
   * @param lifetimeMillis {@code Long.MAX_VALUE} for no end
   */
  public long expiryOf(long checkpointId, long lifetimeMillis) {
    Entry entry = entries.get(checkpointId);
    return entry == null || lifetimeMillis > Long.MAX_VALUE - entry.begunAt()
        ? Long.MAX_VALUE
        : entry.begunAt() + lifetimeMillis;
  }

  /**
   * Checks that one more may be prepared.
   *
   * @param sink who asks, for the message
   */
  public void refuseBeyondLimit(String sink) throws PendingLimitException {
    if (entries.size() >= maxTransactions || bytes >= maxBytes) {
      throw new PendingLimitException(
          sink
              + ": "
              + entries.size()
              + " prepared transactions with handles of "
              + bytes
              + " bytes wait for their commit; setMaxPending allows "
              + maxTransactions
              + " and "
              + maxBytes
              + " bytes. Find out why checkpoints do not complete, or raise it");
    }
  }

  private void publish() {
    Map.Entry<Long, Entry> oldest = entries.firstEntry();
    oldestPreparedAt = oldest == null ? 0 : oldest.getValue().preparedAt();
    count = entries.size();
  }
}
