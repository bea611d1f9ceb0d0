package dev.twophase.kafka.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.commit.Witness;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
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
  private volatile @Nullable Witness marker;
  private volatile boolean witnessAsked;
  private volatile @Nullable TopicPartition firstPartition;
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

  /** Topic of the first record, or null if nothing was sent. */
  @Nullable String firstTopic() {
    return firstTopic;
  }
}
