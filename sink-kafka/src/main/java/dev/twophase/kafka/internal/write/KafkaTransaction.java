package dev.twophase.kafka.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.commit.Witness;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
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

  private final TransactionId id;
  private final String name;
  private volatile @Nullable Exception error;
  private volatile @Nullable Witness witness;
  private volatile boolean witnessAsked;
  private @Nullable String firstTopic;

  KafkaTransaction(
      Producer<byte[], byte[]> producer,
      @Nullable LiveProducer live,
      TransactionId id,
      String name) {
    this.producer = producer;
    this.live = live;
    this.id = id;
    this.name = name;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback tells
  void send(ProducerRecord<byte[], byte[]> record) {
    if (error != null) {
      failIfBroken();
    }
    if (witness == null && !witnessAsked && live != null) {
      sendWitness(record);
    } else {
      producer.send(record, this);
    }
    if (firstTopic == null) {
      firstTopic = record.topic();
    }
  }

  /** Sends a record whose acknowledgement becomes the transaction's witness. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback tells
  void sendWitness(ProducerRecord<byte[], byte[]> record) {
    witnessAsked = true;
    int hash = Witness.hash(record.key(), record.value());
    producer.send(
        record,
        (metadata, exception) -> {
          onCompletion(metadata, exception);
          if (exception == null && metadata.hasOffset()) {
            witness = new Witness(metadata.topic(), metadata.partition(), metadata.offset(), hash);
          }
          witnessAsked = false;
        });
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
    return witness;
  }

  /** Topic of the first record, or null if nothing was sent. */
  @Nullable String firstTopic() {
    return firstTopic;
  }
}
