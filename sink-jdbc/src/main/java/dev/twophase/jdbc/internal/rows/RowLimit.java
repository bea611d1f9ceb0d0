package dev.twophase.jdbc.internal.rows;

import java.nio.charset.StandardCharsets;

/**
 * How large a row may be.
 *
 * @param bytes in the form that {@link RowBuffer} gives it, or as text
 * @param form what the row is when it is as large as it gets
 * @param cause what limits it, for a message; empty for what nobody can change
 */
public record RowLimit(int bytes, Form form, String cause) {

  /** In what form a row is sent. */
  public enum Form {
    /** About that of {@link RowBuffer}. */
    BINARY,
    /** As text in a statement, where some characters, and bytes, are escaped by one more. */
    TEXT,
    /** The same with two digits for a byte. */
    TEXT_AND_DIGITS
  }

  /** What a block of a handle may take. */
  static final int MOST_BYTES = 1 << 28;

  /** What a value of few bytes, such as a number or a time, may take more as text. */
  private static final long OF_A_VALUE = 24;

  /** Smaller rows than this part of the limit are within it as text, too. */
  private static final int SURELY = 8;

  /** The sink's own. */
  public static RowLimit own() {
    return new RowLimit(MOST_BYTES, Form.BINARY, "");
  }

  /** The database's, if it is less than the sink's own. */
  public static RowLimit atMost(long bytes, String cause) {
    return atMost(bytes, Form.BINARY, cause);
  }

  /**
   * That of a database that takes rows as text.
   *
   * @param digits whether bytes become two digits each
   */
  public static RowLimit ofText(long bytes, boolean digits, String cause) {
    return atMost(bytes, digits ? Form.TEXT_AND_DIGITS : Form.TEXT, cause);
  }

  private static RowLimit atMost(long bytes, Form form, String cause) {
    return bytes < MOST_BYTES ? new RowLimit((int) Math.max(1, bytes), form, cause) : own();
  }

  /**
   * Checks a row's size.
   *
   * @param row bytes, of which those from {@code start} to {@code end} are the row's
   * @param values how many it has
   * @param ofBytes how much of it is in values of type byte[]
   * @throws IllegalArgumentException if it is too large, saying what to do
   */
  void check(byte[] row, int start, int end, int values, int ofBytes) {
    long size = (long) end - start;
    if (form != Form.BINARY && size > bytes / SURELY) {
      size += OF_A_VALUE * values + escaped(row, start, end);
      if (form == Form.TEXT_AND_DIGITS) {
        size += ofBytes;
      }
    }
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

  /** Whether a row that is mostly this text is small enough. */
  public boolean takes(String text) {
    byte[] sent = text.getBytes(StandardCharsets.UTF_8);
    return form == Form.BINARY || sent.length + escaped(sent, 0, sent.length) <= bytes;
  }

  private static long escaped(byte[] row, int start, int end) {
    long escaped = 0;
    for (int i = start; i < end; i++) {
      switch (row[i]) {
        case 0, '\n', '\r', 26, '"', '\'', '\\' -> escaped++;
        default -> {}
      }
    }
    return escaped;
  }
}
