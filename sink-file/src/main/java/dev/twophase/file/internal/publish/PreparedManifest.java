package dev.twophase.file.internal.publish;

import java.util.Objects;

/**
 * The manifest of a prepared transaction, staged like its files. Its visible name begins with the
 * checkpoint, which only the commit is told.
 *
 * <pre>
 * DIRECTORY/_manifests/orders/17000-17999/17042.4.orders.3.17041.00c0ffee….l2
 * </pre>
 *
 * @param file its bucket is the directory of the sink's manifests
 * @param name rest of the visible name
 * @param span how many checkpoints share a directory below that; {@value #FLAT} if there is none
 */
public record PreparedManifest(PreparedFile file, String name, int span) {

  /** All manifests in one directory, as former releases had them. */
  static final int FLAT = 0;

  /** HDFS takes 1,048,576 names in one directory; a listing of a thousand takes one call. */
  private static final int SPAN = 1000;

  private static final int MOST_PARTS = 1000;
  private static final int SPAN_OF_MORE_PARTS = 10;

  public PreparedManifest {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(name, "name");
  }

  /**
   * A new one.
   *
   * @param parts number of subtasks, each of which leaves one
   */
  public static PreparedManifest of(PreparedFile file, String name, int parts) {
    return new PreparedManifest(file, name, parts > MOST_PARTS ? SPAN_OF_MORE_PARTS : SPAN);
  }

  /** The file as it is published with a checkpoint. */
  PreparedFile file(long checkpointId) {
    return new PreparedFile(directory(checkpointId), file.part(), file.length(), file.checksum());
  }

  String target(long checkpointId) {
    return directory(checkpointId) + "/" + checkpointId + "." + name;
  }

  private String directory(long checkpointId) {
    if (span == FLAT) {
      return file.bucket();
    }
    long first = checkpointId - checkpointId % span;
    return file.bucket() + "/" + first + "-" + (first + span - 1);
  }
}
