package dev.twophase.file.internal.bucket;

import dev.twophase.file.BucketMarker;
import dev.twophase.file.internal.publish.FileNames;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Keeps buckets, which may come from the data, below the base directory. */
public final class BucketNames {

  private static final int MAX_MARKER_NAME = 200;

  private BucketNames() {}

  /**
   * Returns the bucket if it is a relative path of plain components, or empty for the base
   * directory.
   *
   * @param listed whether readers find its files by manifests, however it is called
   * @throws IllegalArgumentException if it is not, naming it and the reason
   */
  public static String check(@Nullable String bucket, boolean listed) {
    if (bucket == null) {
      throw new IllegalArgumentException(
          "The bucket of a record is null. Let the bucket assigner return an empty path for the"
              + " directory itself, or one such as 'country=nl/day=2026-01-31'");
    }
    if (hasControlCharacter(bucket)) {
      throw refused(bucket, "it contains a control character, such as a line break or a tab");
    }
    if (bucket.indexOf('\\') >= 0) {
      throw refused(bucket, "it contains a backslash, which separates components on some systems");
    }
    if (bucket.startsWith("/")) {
      throw refused(bucket, "it is absolute");
    }
    if (!bucket.isEmpty()) {
      for (String component : bucket.split("/", -1)) {
        checkComponent(bucket, component, listed);
      }
      if (FileNames.RESERVED.contains(bucket.split("/", 2)[0])) {
        throw refused(bucket, "its first component is a name that sinks use for their own lists");
      }
    }
    return bucket;
  }

  /**
   * Returns the name of a file in a bucket if it is a single plain component.
   *
   * @throws IllegalArgumentException if it is not
   */
  private static String checkFileName(String bucket, String name) {
    if (name.isEmpty()
        || name.startsWith(".")
        || name.indexOf('/') >= 0
        || name.indexOf('\\') >= 0
        || hasControlCharacter(name)
        || EncodedName.encode(name).length() > MAX_MARKER_NAME
        || FileNames.RESERVED.contains(name)) {
      throw new IllegalArgumentException(
          "The marker of the bucket '"
              + bucket
              + "' is called '"
              + printable(name)
              + "': use a name without separators and control characters, that does not begin with a"
              + " dot and is none of "
              + new TreeSet<>(FileNames.RESERVED)
              + ", of at most "
              + MAX_MARKER_NAME
              + " characters once encoded for a URL"
              + ", such as _SUCCESS");
    }
    for (String component : bucket.split("/", -1)) {
      if (component.equals(name)) {
        throw refused(bucket, "a component is called like the marker of buckets");
      }
    }
    return name;
  }

  /**
   * Checks that a bucket can be noted, as it must be where buckets get markers.
   *
   * @throws IllegalArgumentException if its name is too long
   */
  static void checkNoted(String bucket) {
    if (EncodedName.ofBucket(bucket).length() > FileNames.MAX_NAME_BYTES) {
      throw refused(
          bucket,
          "encoded for a URL it is longer than "
              + (FileNames.MAX_NAME_BYTES - EncodedName.ofBucket("").length())
              + " bytes, which is the most where buckets get markers");
    }
  }

  /** Path of a file in a bucket. */
  static String join(String bucket, String name) {
    return bucket.isEmpty() ? name : bucket + "/" + name;
  }

  /** Path of a bucket's marker. */
  static String markerOf(String bucket, BucketMarker marker) {
    return join(bucket, checkFileName(bucket, marker.fileName(bucket)));
  }

  /** The text with its control characters as escapes, for messages. */
  public static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    text.chars()
        .forEach(
            c ->
                printable.append(
                    Character.isISOControl(c)
                        ? String.format("\\u%04x", c)
                        : String.valueOf((char) c)));
    return printable.toString();
  }

  private static boolean hasControlCharacter(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  private static void checkComponent(String bucket, String component, boolean listed) {
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
    if (component.startsWith("_") && !listed) {
      throw refused(
          bucket,
          "a component begins with _, so readers that go by Hadoop's rules would pass over it; it"
              + " may only where manifests() list its files");
    }
    if (component.getBytes(StandardCharsets.UTF_8).length > FileNames.MAX_NAME_BYTES) {
      throw refused(bucket, "a component is longer than " + FileNames.MAX_NAME_BYTES + " bytes");
    }
  }

  private static IllegalArgumentException refused(String bucket, String reason) {
    return new IllegalArgumentException(
        "The bucket '"
            + printable(bucket)
            + "' of a record is refused: "
            + reason
            + ". Let the bucket assigner return a relative path such as 'country=nl/day=2026-01-31'");
  }
}
