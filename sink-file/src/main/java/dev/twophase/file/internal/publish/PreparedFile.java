package dev.twophase.file.internal.publish;

import java.util.Objects;

/**
 * One file of a prepared transaction: complete, synced and closed, still hidden.
 *
 * @param bucket directory below the base directory; empty for the base directory itself
 * @param part number of the file within its transaction, from 0
 * @param length in bytes
 * @param checksum CRC32C of the content
 */
public record PreparedFile(String bucket, int part, long length, int checksum) {
  public PreparedFile {
    Objects.requireNonNull(bucket, "bucket");
  }
}
