package dev.twophase.testkit.connector;

import dev.twophase.CommitOutcome;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.testkit.internal.tier.OpenedContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.util.InstantiationUtil;
import org.jspecify.annotations.Nullable;

/**
 * One opened copy of a connector, driven step by step as Flink's adapters drive it: for unit tests
 * of single operations, which say sooner than a contract where a sink is wrong. Each is an attempt
 * of its own; a crash is played by leaving one behind and opening another, to which only {@link
 * Prepared} passes. Nothing is retried and no rule is upheld here: what the connector answers or
 * throws reaches the test.
 *
 * <p>Not thread-safe, as a connector is not.
 *
 * @param <R> record
 * @param <T> transaction
 * @param <H> handle
 */
public final class DrivenConnector<R, T, H> implements AutoCloseable {

  private final TransactionalConnector<R, T, H> connector;
  private final OpenedContext context;
  private final Time time = new Time();

  private DrivenConnector(TransactionalConnector<R, T, H> connector, OpenedContext context) {
    this.connector = connector;
    this.context = context;
  }

  /**
   * Opens a copy, which has gone through Java serialization as a job's does.
   *
   * @throws IOException if it cannot be serialized
   * @throws Exception as its {@code open} throws
   */
  public static <R, T, H> DrivenConnector<R, T, H> open(
      TransactionalConnector<R, T, H> configured, Opening opening) throws Exception {
    TransactionalConnector<R, T, H> copy = InstantiationUtil.clone(configured);
    OpenedContext context = opening.context();
    copy.open(context);
    return new DrivenConnector<>(copy, context);
  }

  /** For the operations that are not wrapped here. */
  public TransactionalConnector<R, T, H> connector() {
    return connector;
  }

  /**
   * As at the start of a job with checkpoints each second.
   *
   * @throws SetupRefusedException if the connector refuses
   */
  public void preflight() throws Exception {
    connector.preflight(context);
  }

  /** Of the transaction that this attempt begins after that checkpoint. */
  public TransactionId id(long since) {
    return new TransactionId(context.sinkName(), context.subtask(), since, context.attemptNonce());
  }

  /**
   * What {@link WriteContext#currentProcessingTime} says from now on, in milliseconds; at first 0.
   */
  public void setProcessingTime(long millis) {
    time.now = millis;
  }

  /** A transaction with these records. */
  @SafeVarargs
  public final T begin(long since, R... records) throws Exception {
    T transaction = connector.begin(id(since));
    for (R record : records) {
      write(transaction, record);
    }
    return transaction;
  }

  public void write(T transaction, R record) throws Exception {
    connector.write(transaction, record, time);
  }

  /**
   * Begins, writes, prepares.
   *
   * @throws java.util.NoSuchElementException if there is nothing to commit (W5)
   */
  @SafeVarargs
  public final Prepared prepare(long since, R... records) throws Exception {
    return preCommit(since, begin(since, records)).orElseThrow();
  }

  /** Empty if there is nothing to commit (W5). */
  public Optional<Prepared> preCommit(long since, T transaction) throws Exception {
    Optional<H> prepared = connector.preCommit(transaction);
    if (prepared.isEmpty()) {
      return Optional.empty();
    }
    H handle = prepared.get();
    byte[] bytes = connector.handleSerializer().serialize(handle);
    return Optional.of(
        new Prepared(id(since), connector.handleSerializer().getVersion(), bytes, handle));
  }

  /** As after a restart: by the bytes alone. */
  public CommitOutcome commit(Prepared prepared) throws Exception {
    return connector.commit(prepared.id(), handle(prepared));
  }

  /**
   * As where writer and committer are chained: the very handle is handed over.
   *
   * @param prepared by this connector, opened here or elsewhere
   */
  @SuppressWarnings("unchecked") // made by a copy of the same connector
  public CommitOutcome commitLive(Prepared prepared) throws Exception {
    return connector.commit(prepared.id(), (H) prepared.live());
  }

  /** As the only transaction of that completed checkpoint. */
  public CommitOutcome commit(Prepared prepared, long checkpoint) throws Exception {
    return connector.commitAll(List.of(restored(prepared, checkpoint, 0, 1))).get(0);
  }

  /**
   * As transactions of checkpoint 1; fewer outcomes mean that the rest is to be asked for again.
   */
  public List<CommitOutcome> commitAll(List<Prepared> several) throws Exception {
    List<PreparedTransaction<H>> transactions = new ArrayList<>();
    for (Prepared each : several) {
      transactions.add(restored(each, 1, 0, 1));
    }
    return connector.commitAll(transactions);
  }

  /** What the engine hands to the connector for it; begun and prepared at that wall-clock time. */
  public PreparedTransaction<H> restored(
      Prepared prepared, long checkpoint, long millis, long records) throws IOException {
    return new PreparedTransaction<>(
        prepared.id(),
        checkpoint,
        millis,
        millis,
        records,
        Optional.of(handle(prepared)),
        List.of());
  }

  private H handle(Prepared prepared) throws IOException {
    return connector.handleSerializer().deserialize(prepared.version(), prepared.bytes());
  }

  /** All that the connector lists (R2). */
  public List<Unfinished> unfinished() throws Exception {
    List<Unfinished> found = new ArrayList<>();
    connector.unfinished().forEach(found::add);
    return found;
  }

  /** What the connector has counted. */
  public long bytesSent() {
    return context.bytesSent().getCount();
  }

  @Override
  public void close() throws Exception {
    connector.close();
  }

  private static final class Time implements WriteContext {
    private long now;

    @Override
    public @Nullable Long timestamp() {
      return null;
    }

    @Override
    public long currentWatermark() {
      return Long.MIN_VALUE;
    }

    @Override
    public long currentProcessingTime() {
      return now;
    }
  }
}
