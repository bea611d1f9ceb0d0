package dev.twophase.file.manifest;

import java.util.Objects;

/**
 * A file that a complete checkpoint has published.
 *
 * @param path relative to the sink's directory, with {@code /} between components
 * @param length in bytes
 * @param checksum CRC32C of the content
 * @param checkpoint the checkpoint that covers it
 */
public record CommittedFile(String path, long length, int checksum, long checkpoint) {

  public CommittedFile {
    Objects.requireNonNull(path, "path");
  }
}
