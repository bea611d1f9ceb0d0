package dev.twophase.kafka.internal.write;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Bytes of a record's key and value, before compression. */
final class Sizes {

  private Sizes() {}

  static long of(ProducerRecord<byte[], byte[]> record) {
    long key = record.key() == null ? 0 : record.key().length;
    return record.value() == null ? key : key + record.value().length;
  }
}
