package dev.twophase.file.internal.bucket;

import dev.twophase.file.internal.publish.FileNames;
import java.nio.charset.StandardCharsets;

/** Keeps buckets, which may come from the data, below the base directory. */
public final class BucketNames {

  private BucketNames() {}

  /**
   * Returns the bucket if it is a relative path of plain components, or empty for the base
   * directory.
   *
   * @throws IllegalArgumentException if it is not, naming it and the reason
   */
  public static String check(String bucket) {
    if (bucket.indexOf('\0') >= 0) {
      throw refused(bucket, "it contains a NUL character");
    }
    if (bucket.indexOf('\\') >= 0) {
      throw refused(bucket, "it contains a backslash, which separates components on some systems");
    }
    if (bucket.startsWith("/")) {
      throw refused(bucket, "it is absolute");
    }
    if (!bucket.isEmpty()) {
      for (String component : bucket.split("/", -1)) {
        checkComponent(bucket, component);
      }
    }
    return bucket;
  }

  /**
   * Returns the name of a file in a bucket if it is a single plain component.
   *
   * @throws IllegalArgumentException if it is not
   */
  static String checkFileName(String bucket, String name) {
    if (name.isEmpty() || name.startsWith(".") || name.matches("(?s).*[/\\\\\\x00].*")) {
      throw new IllegalArgumentException(
          "The marker of the bucket '"
              + bucket
              + "' is called '"
              + name
              + "': use a name without separators that does not begin with a dot, such as _SUCCESS");
    }
    return name;
  }

  private static void checkComponent(String bucket, String component) {
    if (component.isEmpty()) {
      throw refused(bucket, "it has an empty component");
    }
    if (component.startsWith(".")) {
      throw refused(
          bucket,
          component.equals("..")
              ? "it would leave the directory"
              : "a component begins with a dot, so readers would not see it");
    }
    if (component.getBytes(StandardCharsets.UTF_8).length > FileNames.MAX_NAME_BYTES) {
      throw refused(bucket, "a component is longer than " + FileNames.MAX_NAME_BYTES + " bytes");
    }
  }

  private static IllegalArgumentException refused(String bucket, String reason) {
    return new IllegalArgumentException(
        "The bucket '"
            + bucket.replace("\0", "\\0")
            + "' of a record is refused: "
            + reason
            + ". Let the bucket assigner return a relative path such as 'country=nl/day=2026-01-31'");
  }
}
