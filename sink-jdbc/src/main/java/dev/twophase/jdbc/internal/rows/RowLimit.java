package dev.twophase.jdbc.internal.rows;

/**
 * How large a row may be.
 *
 * @param bytes in the form that {@link RowBuffer} gives it
 * @param cause what limits it, for a message; empty for what nobody can change
 */
public record RowLimit(int bytes, String cause) {

  /** What a block of a handle may take. */
  static final int MOST_BYTES = 1 << 28;

  /** The sink's own. */
  public static RowLimit own() {
    return new RowLimit(MOST_BYTES, "");
  }

  /** The database's, if it is less than the sink's own. */
  public static RowLimit atMost(long bytes, String cause) {
    return bytes < MOST_BYTES ? new RowLimit((int) Math.max(1, bytes), cause) : own();
  }

  /**
   * Checks a row's size.
   *
   * @throws IllegalArgumentException if it is too large, saying what to do
   */
  void check(int size) {
    if (size > bytes) {
      throw new IllegalArgumentException(
          "a row takes "
              + size
              + " bytes, and "
              + bytes
              + " is the most"
              + (cause.isEmpty() ? ": " : ", by " + cause + ", or ")
              + "store large values elsewhere, and their place in the row");
    }
  }
}
