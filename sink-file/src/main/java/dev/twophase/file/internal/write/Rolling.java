package dev.twophase.file.internal.write;

import java.io.Serializable;

/**
 * When a file is closed and the next one of its bucket begun, besides at every checkpoint. The
 * first limit reached counts.
 *
 * @param maxBytes size from which a file is closed
 * @param maxRecords number of records at which a file is closed
 * @param maxAgeMillis time since its first record from which a file is closed, seen when a record
 *     arrives
 */
public record Rolling(long maxBytes, long maxRecords, long maxAgeMillis) implements Serializable {

  private static final long serialVersionUID = 1L;

  /** The value of a limit that never counts. */
  public static final long NEVER = Long.MAX_VALUE;

  boolean byAge() {
    return maxAgeMillis != NEVER;
  }
}
