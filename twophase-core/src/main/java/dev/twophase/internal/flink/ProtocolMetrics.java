package dev.twophase.internal.flink;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.internal.engine.CommitEngine.Settlement;
import dev.twophase.internal.engine.ProtocolListener;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * The protocol's own metrics, besides those that FLIP-33 names. Written by the task's thread, read
 * by Flink's reporters.
 */
public final class ProtocolMetrics implements ProtocolListener {

  private final Counter retries;
  private final Counter alreadyCommitted;
  private final Counter lost;
  private final Counter lingeringAborted;
  private volatile long open;
  private volatile long prepareLatency;
  private volatile long commitLatency;

  public ProtocolMetrics(MetricGroup group) {
    retries = group.counter("commitRetries");
    alreadyCommitted = group.counter("transactionsAlreadyCommitted");
    lost = group.counter("transactionsLost");
    lingeringAborted = group.counter("lingeringTransactionsAborted");
    group.gauge("openTransactions", () -> open);
    group.gauge("prepareLatency", () -> prepareLatency);
    group.gauge("commitLatency", () -> commitLatency);
  }

  @Override
  public void begun(TransactionId id) {
    open = 1;
  }

  @Override
  public void prepared(TransactionId id, long tookMillis) {
    open = 0;
    prepareLatency = tookMillis;
  }

  @Override
  public void settled(PreparedTransaction<?> transaction, Settlement settlement, long tookMillis) {
    commitLatency = tookMillis;
    if (settlement == Settlement.ALREADY_COMMITTED) {
      alreadyCommitted.inc();
    } else if (settlement == Settlement.QUARANTINED) {
      lost.inc();
    }
  }

  @Override
  public void retried() {
    retries.inc();
  }

  @Override
  public void lingeringAborted(int count) {
    lingeringAborted.inc(count);
  }

  /** Milliseconds that the last preCommit took: FLIP-33's currentSendTime. */
  public long prepareLatency() {
    return prepareLatency;
  }
}
