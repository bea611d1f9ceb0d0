package dev.twophase.file;

import dev.twophase.file.internal.write.Codec;

/**
 * How rows are compressed. A file holds one member (gzip) or frame (zstd) after the other, each of
 * whole rows, about 4 MiB of them, and with its own checksum; every reader of the format reads them
 * as one stream.
 */
public enum Compression {

  /** Adds {@code .gz} to the suffix. */
  GZIP(Codec.GZIP, ".gz"),

  /** Adds {@code .zst} to the suffix; needs {@code com.github.luben:zstd-jni} on the class path. */
  ZSTD(Codec.ZSTD, ".zst");

  private final Codec codec;
  private final String suffix;

  Compression(Codec codec, String suffix) {
    this.codec = codec;
    this.suffix = suffix;
  }

  Codec codec() {
    return codec;
  }

  /** What it adds to the suffix of published names. */
  public String suffix() {
    return suffix;
  }
}
