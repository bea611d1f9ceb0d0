package dev.twophase.file.internal.bucket;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Names of buckets and markers as names of single files. */
final class EncodedName {

  private static final String PREFIX = "bucket=";

  private EncodedName() {}

  static String ofBucket(String bucket) {
    return PREFIX + encode(bucket);
  }

  /** The bucket that a file stands for. */
  static Optional<String> bucketOf(String name) {
    return name.startsWith(PREFIX)
        ? Optional.of(decode(name.substring(PREFIX.length())))
        : Optional.empty();
  }

  static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  static String decode(String name) {
    return URLDecoder.decode(name, StandardCharsets.UTF_8);
  }
}
