package dev.twophase.kafka.internal.commit;

import java.util.Objects;
import java.util.zip.CRC32C;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One acknowledged record of a transaction. Whether a read_committed consumer is given it tells the
 * transaction's outcome, whatever its coordinator has forgotten since.
 *
 * @param hash of key and value, by {@link #hash}: after an unclean election another record may have
 *     the offset
 */
public record Witness(String topic, int partition, long offset, int hash) {

  public Witness {
    Objects.requireNonNull(topic, "topic");
  }

  TopicPartition topicPartition() {
    return new TopicPartition(topic, partition);
  }

  /** What tells records apart; part of the handle's format, so it cannot change. */
  public static int hash(byte @Nullable [] key, byte @Nullable [] value) {
    CRC32C crc = new CRC32C();
    update(crc, key);
    update(crc, value);
    return (int) crc.getValue();
  }

  private static void update(CRC32C crc, byte @Nullable [] bytes) {
    int length = bytes == null ? -1 : bytes.length;
    for (int shift = 24; shift >= 0; shift -= 8) {
      crc.update(length >>> shift);
    }
    if (bytes != null) {
      crc.update(bytes, 0, bytes.length);
    }
  }

  @Override
  public String toString() {
    return "record " + topic + "-" + partition + "@" + offset;
  }
}
