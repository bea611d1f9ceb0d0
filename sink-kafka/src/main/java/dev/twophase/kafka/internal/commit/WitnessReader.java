package dev.twophase.kafka.internal.commit;

import dev.twophase.kafka.internal.client.ClientProperties;
import dev.twophase.kafka.internal.client.KafkaClients;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the log itself what became of a transaction. A record that a read_committed consumer is
 * given is committed; one that only a read_uncommitted consumer is given is not, and if the former
 * has passed it, never will be. Absence proves nothing: retention and compaction remove records
 * too.
 */
final class WitnessReader {

  /** What the log says. */
  enum Testimony {
    COMMITTED,
    ABORTED,
    /** the transaction is still open */
    UNDECIDED,
    /** the record is no longer there to ask */
    GONE
  }

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaClients clients;
  private final ClientProperties properties;

  WitnessReader(KafkaClients clients, ClientProperties properties) {
    this.clients = clients;
    this.properties = properties;
  }

  Testimony ask(Witness witness) throws InterruptedException {
    try {
      Sight committed = look(witness, true);
      if (committed != Sight.PASSED) {
        return switch (committed) {
          case SEEN -> Testimony.COMMITTED;
          case NOT_REACHED -> Testimony.UNDECIDED;
          default -> Testimony.GONE;
        };
      }
      return look(witness, false) == Sight.SEEN ? Testimony.ABORTED : Testimony.GONE;
    } catch (InterruptException interrupted) {
      // Undo the client's own way of saying it: the flag is set again by who catches this.
      Thread.interrupted();
      throw (InterruptedException) new InterruptedException().initCause(interrupted);
    }
  }

  private enum Sight {
    SEEN,
    /** the consumer was given what comes behind it */
    PASSED,
    /** the consumer may not go so far yet */
    NOT_REACHED,
    /** another record has this offset, or the log does not cover it */
    OTHER
  }

  private Sight look(Witness witness, boolean committedOnly) {
    TopicPartition partition = witness.topicPartition();
    try (Consumer<byte[], byte[]> consumer =
        clients.consumer(properties.consumer("twophase-witness", committedOnly))) {
      consumer.assign(List.of(partition));
      if (first(consumer.beginningOffsets(List.of(partition)).get(partition)) > witness.offset()) {
        return Sight.OTHER;
      }
      if (first(consumer.endOffsets(List.of(partition)).get(partition)) <= witness.offset()) {
        return committedOnly ? notReached(witness) : Sight.OTHER;
      }
      consumer.seek(partition, witness.offset());
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (System.nanoTime() < deadline) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : polled) {
          return compare(witness, record);
        }
        if (consumer.position(partition) > witness.offset()) {
          return Sight.PASSED;
        }
      }
      throw new org.apache.kafka.common.errors.TimeoutException(
          "Could not read " + witness + " within " + PATIENCE);
    } catch (OffsetOutOfRangeException removedMeanwhile) {
      return Sight.OTHER;
    }
  }

  /** The stable part of the log ends before it: still open, or cut off by an unclean election. */
  private Sight notReached(Witness witness) {
    return look(witness, false) == Sight.SEEN ? Sight.NOT_REACHED : Sight.OTHER;
  }

  private static Sight compare(Witness witness, ConsumerRecord<byte[], byte[]> record) {
    if (record.offset() > witness.offset()) {
      return Sight.PASSED;
    }
    return Witness.hash(record.key(), record.value()) == witness.hash() ? Sight.SEEN : Sight.OTHER;
  }

  private static long first(@Nullable Long offset) {
    return offset == null ? Long.MAX_VALUE : offset;
  }
}
