package dev.twophase.jdbc.internal.rows;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rows in binary form, in blocks that end with a row. A row is its operation, the number of its
 * values, and the values, each with a tag. Not thread-safe.
 */
public final class RowBuffer {

  /** Operation of a row: whatever the target does. */
  public static final byte WRITE = 0;

  /** Operation of a row: delete the row with this key. */
  public static final byte DELETE = 1;

  private static final int FIRST_BYTES = 1 << 12;

  private final RowLimit limit;
  private final boolean storesNul;
  private final int blockBytes;
  private final Deque<byte[]> blocks = new ArrayDeque<>();
  private byte[] block = new byte[FIRST_BYTES];
  private int position;
  private int rowStart;
  private int rowValues;
  private int rowOfBytes;
  private long rows;
  private long endedBytes;

  /**
   * @param storesNul whether the database stores the character NUL in text
   * @param blockBytes most bytes of a block, unless one row alone is larger
   */
  public RowBuffer(boolean storesNul, int blockBytes, RowLimit limit) {
    this.limit = limit;
    this.storesNul = storesNul;
    this.blockBytes = blockBytes;
  }

  public long rows() {
    return rows;
  }

  /** Bytes held. */
  public long bytes() {
    return endedBytes + position;
  }

  /** Begins a row; as many calls of {@link #value} must follow, then {@link #endRow}. */
  public void beginRow(byte operation, int values) {
    reserve(5);
    rowStart = position;
    rowValues = values;
    rowOfBytes = 0;
    block[position++] = operation;
    putInt(values);
  }

  /**
   * Ends a row.
   *
   * @throws IllegalArgumentException if it is too large to be read again, or for the database
   */
  public void endRow() {
    limit.check(block, rowStart, position, rowValues, rowOfBytes);
    rows++;
    if (position > blockBytes && rowStart > 0) {
      endBlock(rowStart);
    }
    if (position >= blockBytes) {
      endBlock(position);
    }
  }

  /**
   * Takes out complete blocks, the oldest first.
   *
   * @param most bytes to leave
   */
  public List<byte[]> takeAllBut(long most) {
    List<byte[]> taken = new ArrayList<>();
    while (!blocks.isEmpty() && bytes() > most) {
      byte[] oldest = blocks.remove();
      endedBytes -= oldest.length;
      taken.add(oldest);
    }
    return taken;
  }

  /** Takes out everything. */
  public List<byte[]> takeAll() {
    if (position > 0) {
      endBlock(position);
    }
    return takeAllBut(0);
  }

  /** Keeps what is behind the end for the next block. */
  private void endBlock(int end) {
    blocks.add(Arrays.copyOf(block, end));
    endedBytes += end;
    position -= end;
    System.arraycopy(block, end, block, 0, position);
    rowStart = 0;
  }

  /**
   * Adds a value.
   *
   * @throws IllegalArgumentException if it is of a type, or holds a character, that cannot be
   *     written
   */
  public void value(@Nullable Object value) {
    reserve(32);
    if (value == null) {
      block[position++] = ValueTag.NULL;
    } else if (value instanceof String text) {
      string(text);
    } else if (value instanceof Long number) {
      block[position++] = ValueTag.LONG;
      putLong(number);
    } else if (value instanceof Integer number) {
      block[position++] = ValueTag.INT;
      putInt(number);
    } else if (value instanceof Double number) {
      block[position++] = ValueTag.DOUBLE;
      putLong(Double.doubleToRawLongBits(number));
    } else if (value instanceof Boolean flag) {
      block[position++] = flag ? ValueTag.TRUE : ValueTag.FALSE;
    } else if (value instanceof BigDecimal number) {
      ascii(ValueTag.DECIMAL, number.toString());
    } else {
      rarer(value);
    }
  }

  private void rarer(Object value) {
    if (value instanceof Float number) {
      block[position++] = ValueTag.FLOAT;
      putInt(Float.floatToRawIntBits(number));
    } else if (value instanceof Short number) {
      block[position++] = ValueTag.SHORT;
      putInt(number);
    } else if (value instanceof Byte number) {
      block[position++] = ValueTag.BYTE;
      putInt(number);
    } else if (value instanceof BigInteger number) {
      ascii(ValueTag.DECIMAL, number.toString());
    } else if (value instanceof byte[] bytes) {
      reserve(bytes.length + 5);
      block[position++] = ValueTag.BYTES;
      putInt(bytes.length);
      putBytes(bytes);
      rowOfBytes += bytes.length;
    } else if (value instanceof UUID uuid) {
      block[position++] = ValueTag.UUID;
      putLong(uuid.getMostSignificantBits());
      putLong(uuid.getLeastSignificantBits());
    } else if (value instanceof Character character) {
      string(character.toString());
    } else if (!temporal(value)) {
      array(value);
    }
  }

  private boolean temporal(Object value) {
    if (value instanceof LocalDate date) {
      block[position++] = ValueTag.DATE;
      putLong(date.toEpochDay());
    } else if (value instanceof LocalTime time) {
      block[position++] = ValueTag.TIME;
      putLong(time.toNanoOfDay());
    } else if (value instanceof LocalDateTime dateTime) {
      block[position++] = ValueTag.DATE_TIME;
      dateTime(dateTime);
    } else if (value instanceof OffsetDateTime dateTime) {
      offsetDateTime(dateTime);
    } else if (value instanceof ZonedDateTime dateTime) {
      offsetDateTime(dateTime.toOffsetDateTime());
    } else if (value instanceof Instant instant) {
      offsetDateTime(instant.atOffset(ZoneOffset.UTC));
    } else if (value instanceof java.sql.Timestamp timestamp) {
      block[position++] = ValueTag.TIMESTAMP;
      putLong(timestamp.getTime());
      putInt(timestamp.getNanos());
    } else if (value instanceof java.sql.Date date) {
      block[position++] = ValueTag.DATE;
      putLong(date.toLocalDate().toEpochDay());
    } else if (value instanceof java.sql.Time time) {
      block[position++] = ValueTag.TIME;
      putLong(time.toLocalTime().toNanoOfDay());
    } else {
      return false;
    }
    return true;
  }

  private void offsetDateTime(OffsetDateTime value) {
    block[position++] = ValueTag.OFFSET_DATE_TIME;
    dateTime(value.toLocalDateTime());
    putInt(value.getOffset().getTotalSeconds());
  }

  private void dateTime(LocalDateTime value) {
    putLong(value.toLocalDate().toEpochDay());
    putLong(value.toLocalTime().toNanoOfDay());
  }

  private void array(Object value) {
    Object elements = value instanceof List<?> list ? list.toArray() : value;
    if (!elements.getClass().isArray()) {
      String remedy =
          value instanceof OffsetTime
              ? "use LocalTime, or text"
              : "use a number, text, boolean, byte[], UUID, a type of java.time or java.sql, or an"
                  + " array or List of these";
      throw new IllegalArgumentException(
          "a value is of " + value.getClass().getName() + ", which cannot be written: " + remedy);
    }
    int length = Array.getLength(elements);
    block[position++] = ValueTag.ARRAY;
    putInt(length);
    for (int i = 0; i < length; i++) {
      value(Array.get(elements, i));
    }
  }

  private void ascii(byte tag, String text) {
    int length = text.length();
    reserve(length + 5);
    block[position++] = tag;
    putInt(length);
    for (int i = 0; i < length; i++) {
      block[position++] = (byte) text.charAt(i);
    }
  }

  private void string(String text) {
    int length = text.length();
    reserve(3 * length + 5);
    block[position++] = ValueTag.STRING;
    int start = position + 4;
    int end = Utf8.encode(text, block, start, storesNul);
    putInt(end - start);
    position = end;
  }

  private void reserve(int bytes) {
    if (block.length - position < bytes) {
      block = Arrays.copyOf(block, Math.max(2 * block.length, position + bytes));
    }
  }

  private void putBytes(byte[] bytes) {
    System.arraycopy(bytes, 0, block, position, bytes.length);
    position += bytes.length;
  }

  private void putInt(int value) {
    Bytes.INT.set(block, position, value);
    position += 4;
  }

  private void putLong(long value) {
    Bytes.LONG.set(block, position, value);
    position += 8;
  }
}
