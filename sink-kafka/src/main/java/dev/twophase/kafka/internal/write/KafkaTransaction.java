package dev.twophase.kafka.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.commit.Witness;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * The open transaction, and the callback of all its records: flush() returns normally after a
 * failed send, so only callbacks tell (W3). Written by the task's thread; callbacks come from the
 * producer's.
 */
public final class KafkaTransaction implements Callback {

  private final Producer<byte[], byte[]> producer;

  /** Null where the guarantee needs no transaction. */
  private final @Nullable LiveProducer live;

  /** Null where transactions are not marked. */
  private final @Nullable MarkWriter marks;

  private final TransactionId id;
  private final String name;
  private volatile @Nullable Exception error;
  private volatile @Nullable Witness witness;
  private volatile @Nullable Witness marker;
  private volatile boolean witnessAsked;
  private volatile @Nullable TopicPartition firstPartition;
  private @Nullable Future<?> mark;
  private boolean empty = true;

  KafkaTransaction(
      Producer<byte[], byte[]> producer,
      @Nullable LiveProducer live,
      @Nullable MarkWriter marks,
      TransactionId id,
      String name) {
    this.producer = producer;
    this.live = live;
    this.marks = marks;
    this.id = id;
    this.name = name;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback tells
  void send(ProducerRecord<byte[], byte[]> record) {
    if (error != null) {
      failIfBroken();
    }
    try {
      if (witness == null && !witnessAsked && live != null) {
        sendWitness(record);
      } else {
        producer.send(record, this);
      }
    } catch (InterruptException interrupted) {
      throw interrupted;
    } catch (KafkaException refused) {
      throw refused(refused);
    }
    if (empty) {
      empty = false;
      if (marks != null) {
        mark = marks.write(producer, id, record.topic());
      }
    }
  }

  /** The producer refuses because something before has failed, which says more. */
  private KafkaException refused(KafkaException refused) {
    failIfBroken();
    return refused.getCause() instanceof Exception before
        ? SendErrors.explain("A record of " + name + " could not be written", before)
        : refused;
  }

  /** Sends a record whose acknowledgement becomes the transaction's witness. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback tells
  private void sendWitness(ProducerRecord<byte[], byte[]> record) {
    witnessAsked = true;
    int hash = Witness.hash(record.key(), record.value());
    producer.send(
        record,
        (metadata, exception) -> {
          onCompletion(metadata, exception);
          if (exception == null && firstPartition == null) {
            firstPartition = new TopicPartition(metadata.topic(), metadata.partition());
          }
          if (exception == null && metadata.hasOffset()) {
            witness = witness(metadata, hash);
          }
          witnessAsked = false;
        });
  }

  /** The mark's; null while the transaction is empty, or if there is to be none. */
  @Nullable Future<?> mark() {
    return mark;
  }

  /** Sends the record that is the better witness, because it outlives the others. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback tells
  void sendMarker(ProducerRecord<byte[], byte[]> record) {
    int hash = Witness.hash(record.key(), record.value());
    producer.send(
        record,
        (metadata, exception) -> {
          onCompletion(metadata, exception);
          if (exception == null && metadata.hasOffset()) {
            marker = witness(metadata, hash);
          }
        });
  }

  private static Witness witness(RecordMetadata metadata, int hash) {
    return new Witness(metadata.topic(), metadata.partition(), metadata.offset(), hash);
  }

  @Override
  public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
    if (exception != null && error == null) {
      error = exception;
    }
  }

  /**
   * Throws the first error that a record met.
   *
   * @throws RuntimeException naming what to do about it
   */
  void failIfBroken() {
    Exception first = error;
    if (first != null) {
      throw SendErrors.explain("A record of " + name + " could not be written", first);
    }
  }

  Producer<byte[], byte[]> producer() {
    return producer;
  }

  @Nullable LiveProducer live() {
    return live;
  }

  TransactionId id() {
    return id;
  }

  /** The transactional id, or what stands for it in messages. */
  String name() {
    return name;
  }

  @Nullable Witness witness() {
    Witness better = marker;
    return better == null ? witness : better;
  }

  /** Where the first acknowledged record went; null before. */
  @Nullable TopicPartition firstPartition() {
    return firstPartition;
  }

  /** Whether nothing was sent. */
  boolean isEmpty() {
    return empty;
  }
}
