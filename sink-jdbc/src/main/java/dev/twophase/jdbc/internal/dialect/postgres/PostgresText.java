package dev.twophase.jdbc.internal.dialect.postgres;

import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.ValueTag;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Rows in the text form of COPY: values between tabs, and what they hold escaped. */
final class PostgresText {

  /** As the server writes them, so that a column of text gets the same on every way. */
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter();

  private static final DateTimeFormatter OFFSET =
      new DateTimeFormatterBuilder().appendOffset("+HH:mm:ss", "+00").toFormatter();

  private byte[] buffer = new byte[1 << 17];
  private int length;

  byte[] bytes() {
    return buffer;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  /** Adds the reader's row as a line. */
  void row(RowReader row) {
    int values = row.values();
    for (int i = 0; i < values; i++) {
      if (i > 0) {
        put((byte) '\t');
      }
      value(row);
    }
    put((byte) '\n');
  }

  /** The same, filled up with nulls, and two columns more. */
  void row(RowReader row, int columns, long place, boolean deletes) {
    int values = row.values();
    for (int i = 0; i < columns; i++) {
      if (i < values) {
        value(row);
      } else {
        ascii("\\N");
      }
      put((byte) '\t');
    }
    number(place);
    put((byte) '\t');
    put((byte) (deletes ? 't' : 'f'));
    put((byte) '\n');
  }

  private void value(RowReader row) {
    byte tag = row.readTag();
    switch (tag) {
      case ValueTag.NULL -> {
        put((byte) '\\');
        put((byte) 'N');
      }
      case ValueTag.INT, ValueTag.SHORT, ValueTag.BYTE -> number(row.readInt());
      case ValueTag.LONG -> number(row.readLong());
      case ValueTag.STRING, ValueTag.DECIMAL -> {
        int bytes = row.readInt();
        escaped(row.block(), row.skip(bytes), bytes);
      }
      case ValueTag.DOUBLE -> ascii(Double.toString(Double.longBitsToDouble(row.readLong())));
      case ValueTag.TRUE -> put((byte) 't');
      case ValueTag.FALSE -> put((byte) 'f');
      case ValueTag.BYTES -> {
        int bytes = row.readInt();
        int start = row.skip(bytes);
        ascii("\\\\x");
        ascii(HexFormat.of().formatHex(row.block(), start, start + bytes));
      }
      case ValueTag.DATE_TIME -> ascii(text(row.readDateTime()));
      case ValueTag.OFFSET_DATE_TIME -> ascii(text(row.readOffsetDateTime()));
      default -> {
        byte[] bytes = text(row.readValue(tag)).getBytes(StandardCharsets.UTF_8);
        escaped(bytes, 0, bytes.length);
      }
    }
  }

  private void escaped(byte[] source, int start, int count) {
    reserve(2 * count);
    byte[] target = buffer;
    int position = length;
    for (int i = start; i < start + count; i++) {
      byte b = source[i];
      if (b == '\\' || b == '\t' || b == '\n' || b == '\r') {
        target[position++] = '\\';
        b = b == '\t' ? (byte) 't' : b == '\n' ? (byte) 'n' : b == '\r' ? (byte) 'r' : b;
      }
      target[position++] = b;
    }
    length = position;
  }

  private void number(long value) {
    reserve(20);
    if (value == Long.MIN_VALUE) {
      ascii("-9223372036854775808");
      return;
    }
    long rest = value;
    if (rest < 0) {
      buffer[length++] = '-';
      rest = -rest;
    }
    int digits = 1;
    for (long power = 10; digits < 19 && rest >= power; power *= 10) {
      digits++;
    }
    for (int i = length + digits - 1; i >= length; i--) {
      buffer[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  private void ascii(String text) {
    int count = text.length();
    reserve(count);
    for (int i = 0; i < count; i++) {
      buffer[length++] = (byte) text.charAt(i);
    }
  }

  private void put(byte b) {
    reserve(1);
    buffer[length++] = b;
  }

  private void reserve(int bytes) {
    if (buffer.length - length < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + bytes));
    }
  }

  /** A value, not null, in the text form that PostgreSQL reads. */
  static String text(@Nullable Object value) {
    if (value instanceof LocalDate date) {
      return date(date) + era(date);
    }
    if (value instanceof LocalTime time) {
      return TIME.format(time);
    }
    if (value instanceof LocalDateTime dateTime) {
      LocalDate date = dateTime.toLocalDate();
      return date(date) + " " + TIME.format(dateTime.toLocalTime()) + era(date);
    }
    if (value instanceof OffsetDateTime dateTime) {
      ZonedDateTime inSession = dateTime.atZoneSameInstant(ZoneId.systemDefault());
      return zoned(inSession.toLocalDateTime(), inSession.getOffset());
    }
    if (value instanceof Timestamp timestamp) {
      return zoned(timestamp.toLocalDateTime(), offset(timestamp));
    }
    if (value instanceof byte[] bytes) {
      return "\\x" + HexFormat.of().formatHex(bytes);
    }
    if (value instanceof @Nullable Object[] array) {
      return array(array);
    }
    return String.valueOf(value);
  }

  /**
   * In the zone of the session, which the driver takes from the JVM: a column without zone drops
   * the offset, and then holds what a bound parameter would have become there.
   */
  private static String zoned(LocalDateTime wall, ZoneOffset offset) {
    LocalDate date = wall.toLocalDate();
    return date(date) + " " + TIME.format(wall.toLocalTime()) + OFFSET.format(offset) + era(date);
  }

  /** Of the session, at that moment. */
  static ZoneOffset offset(Timestamp timestamp) {
    return ZoneId.systemDefault().getRules().getOffset(timestamp.toInstant());
  }

  private static String date(LocalDate date) {
    int year = date.getYear() <= 0 ? 1 - date.getYear() : date.getYear();
    return String.format("%04d-%02d-%02d", year, date.getMonthValue(), date.getDayOfMonth());
  }

  private static String era(LocalDate date) {
    return date.getYear() <= 0 ? " BC" : "";
  }

  /** An array in PostgreSQL's text form. */
  static String array(@Nullable Object[] elements) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < elements.length; i++) {
      if (i > 0) {
        text.append(',');
      }
      Object element = elements[i];
      if (element == null) {
        text.append("NULL");
      } else if (element instanceof @Nullable Object[] nested) {
        text.append(array(nested));
      } else {
        text.append('"')
            .append(text(element).replace("\\", "\\\\").replace("\"", "\\\""))
            .append('"');
      }
    }
    return text.append('}').toString();
  }
}
