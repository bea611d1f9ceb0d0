package dev.twophase.kafka.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.kafka.internal.commit.KafkaHandle;
import dev.twophase.kafka.internal.commit.Line;
import java.util.Optional;

/** The writing half of the connector, for one guarantee. */
public interface Writer<IN> extends AutoCloseable {

  /**
   * Does now what would otherwise delay the first record, and the first one behind a barrier.
   *
   * @param barriers whether there are any
   */
  default void warmUp(boolean barriers) throws InterruptedException {}

  /** Tells which checkpoint the attempt goes on from. */
  default void startsAfter(long checkpointId) {}

  /** Tells which history of checkpoints that is. */
  default void inLine(Line line) {}

  /** Tells that a run of the job may well publish what another has (C1). */
  default void ignoreMarks() {}

  KafkaTransaction begin(TransactionId id) throws InterruptedException;

  void write(KafkaTransaction transaction, IN record, WriteContext context);

  Optional<KafkaHandle> preCommit(KafkaTransaction transaction) throws InterruptedException;

  void abort(KafkaTransaction transaction);

  /** Producers alive, for the metric. */
  int producers();

  @Override
  void close();
}
