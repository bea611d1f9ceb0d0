package dev.twophase.kafka.internal.write;

import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import dev.twophase.kafka.internal.commit.KafkaHandle.LiveCommit;
import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A producer with its transactional id. Written by the task's thread; the commit may come from
 * another operator's, so the state is guarded by the object's lock.
 */
final class LiveProducer implements LiveCommit {

  private static final Logger LOG = LoggerFactory.getLogger(LiveProducer.class);

  /** Where the producer is in its cycle. */
  enum State {
    /** nothing is open, and the next transaction may begin */
    FREE,
    OPEN,
    PREPARED,
    /** its last transaction was committed through it */
    COMMITTED,
    /** its last transaction is committed, but another producer must take over its id */
    REPLACEABLE,
    /** its last transaction was settled without it, or may not be settled: never used again */
    SPENT,
    CLOSED
  }

  private final int slot;
  private final String transactionalId;
  private final Producer<byte[], byte[]> producer;
  private final int protocol;
  private final BufferWatch.Buffer buffer;
  private State state = State.FREE;
  private @Nullable Facts prepared;

  LiveProducer(int slot, String transactionalId, Producer<byte[], byte[]> producer, int protocol) {
    this.slot = slot;
    this.transactionalId = transactionalId;
    this.producer = producer;
    this.protocol = protocol;
    this.buffer = BufferWatch.Buffer.of(producer);
  }

  int slot() {
    return slot;
  }

  String transactionalId() {
    return transactionalId;
  }

  Producer<byte[], byte[]> producer() {
    return producer;
  }

  /** The transaction version when the producer was made. */
  int protocol() {
    return protocol;
  }

  BufferWatch.Buffer buffer() {
    return buffer;
  }

  synchronized State state() {
    return state;
  }

  /** The last transaction that was prepared, or null before the first. */
  synchronized @Nullable Facts prepared() {
    return prepared;
  }

  synchronized void begin() {
    producer.beginTransaction();
    state = State.OPEN;
  }

  /** Ends a transaction into which nothing was written: there is nothing to tell the broker. */
  synchronized void endEmpty() {
    producer.commitTransaction();
    state = State.FREE;
  }

  synchronized void prepared(Facts facts) {
    prepared = facts;
    state = State.PREPARED;
  }

  /** The coordinator has shown that the producer can go on under its next epoch. */
  synchronized void free() {
    state = State.FREE;
  }

  /** The producer has seen something unusual, after it committed. */
  synchronized void replaceable() {
    state = State.REPLACEABLE;
  }

  @Override
  public synchronized boolean holds(Facts transaction) {
    return state == State.PREPARED && transaction.equals(prepared);
  }

  @Override
  public synchronized boolean commit(Facts transaction) throws InterruptedException {
    if (!holds(transaction)) {
      return false;
    }
    try {
      producer.commitTransaction();
      state = State.COMMITTED;
      return true;
    } catch (InterruptException interrupted) {
      state = State.SPENT;
      // The client has set the flag, which the exception stands for.
      Thread.interrupted();
      throw (InterruptedException) new InterruptedException().initCause(interrupted);
    } catch (KafkaException | IllegalStateException error) {
      state = State.SPENT;
      LOG.warn(
          "The producer of {} could not commit; its coordinator is asked instead",
          transactionalId,
          error);
      return false;
    }
  }

  @Override
  public synchronized void settled() {
    if (state != State.CLOSED) {
      state = State.SPENT;
    }
  }

  /**
   * Lets go of the producer at once: waiting would make it abort what is prepared (E2), for which
   * nobody asked.
   */
  synchronized void close() {
    state = State.CLOSED;
    producer.close(Duration.ZERO);
  }
}
