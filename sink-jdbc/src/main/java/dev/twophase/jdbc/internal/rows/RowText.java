package dev.twophase.jdbc.internal.rows;

import java.sql.Timestamp;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A row as JSON: an object of its columns, so that a dead letter can be read back whole. */
public final class RowText {

  private RowText() {}

  /** All of a row, nothing shortened. */
  public static String of(Target target, @Nullable Object[] values) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < values.length; i++) {
      append(text.append(i == 0 ? "" : ","), name(target, i));
      append(text.append(':'), values[i]);
    }
    return text.append('}').toString();
  }

  /** A value alone. */
  public static String of(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  /** The column's name, or the parameter's number. */
  public static String name(Target target, int index) {
    return index < target.columns().size() ? target.columns().get(index) : "?" + (index + 1);
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    if (value == null
        || value instanceof Boolean
        || value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      text.append(value);
    } else if (value instanceof byte[] bytes) {
      text.append('"').append(HexFormat.of().formatHex(bytes)).append('"');
    } else if (value instanceof @Nullable Object[] array) {
      text.append('[');
      for (int i = 0; i < array.length; i++) {
        append(text.append(i == 0 ? "" : ","), array[i]);
      }
      text.append(']');
    } else if (value instanceof Timestamp timestamp) {
      // Its own text leaves open which of two moments it is, where a clock is put back.
      quote(text, timestamp.toInstant().toString());
    } else {
      quote(text, value.toString());
    }
  }

  private static void quote(StringBuilder text, String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char character = value.charAt(i);
      if (character == '"' || character == '\\') {
        text.append('\\').append(character);
      } else if (character < ' ') {
        text.append(String.format("\\u%04x", (int) character));
      } else {
        text.append(character);
      }
    }
    text.append('"');
  }
}
