package dev.twophase.jdbc.internal.rows;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a block, see {@link RowBuffer}. Not thread-safe. */
public final class RowReader {

  private final byte[] block;
  private int position;
  private byte operation;
  private int values;

  public RowReader(byte[] block) {
    this.block = block;
  }

  /** Goes to the next row; all values of the last one must have been read. */
  public boolean next() {
    if (position == block.length) {
      return false;
    }
    operation = block[position++];
    values = readInt();
    return true;
  }

  /** {@link RowBuffer#WRITE} or {@link RowBuffer#DELETE}. */
  public byte operation() {
    return operation;
  }

  /** Number of values of this row. */
  public int values() {
    return values;
  }

  /** The tag of the next value, of which the {@code read} methods read the rest. */
  public byte readTag() {
    return block[position++];
  }

  public int readInt() {
    int value = (int) Bytes.INT.get(block, position);
    position += 4;
    return value;
  }

  public long readLong() {
    long value = (long) Bytes.LONG.get(block, position);
    position += 8;
    return value;
  }

  /** The bytes that all values are in. */
  public byte[] block() {
    return block;
  }

  /** How many bytes have been read: of the next value, or the next row, the first one's place. */
  public int position() {
    return position;
  }

  /** Has the values of this row, from its first one's {@link #position} on, read once more. */
  public void readAgain(int firstValue) {
    position = firstValue;
  }

  /** Skips bytes, and tells where they began. */
  public int skip(int bytes) {
    int start = position;
    position += bytes;
    return start;
  }

  /** Reads all values of this row. */
  public @Nullable Object[] readValues() {
    @Nullable Object[] read = new @Nullable Object[values];
    for (int i = 0; i < read.length; i++) {
      read[i] = readValue();
    }
    return read;
  }

  /** Reads a whole value, as JDBC takes it; arrays as {@code Object[]}. */
  public @Nullable Object readValue() {
    return readValue(readTag());
  }

  /** Reads what follows this tag. */
  public @Nullable Object readValue(byte tag) {
    return switch (tag) {
      case ValueTag.NULL -> null;
      case ValueTag.FALSE -> false;
      case ValueTag.TRUE -> true;
      case ValueTag.INT -> readInt();
      case ValueTag.LONG -> readLong();
      case ValueTag.DOUBLE -> Double.longBitsToDouble(readLong());
      case ValueTag.FLOAT -> Float.intBitsToFloat(readInt());
      case ValueTag.SHORT -> (short) readInt();
      case ValueTag.BYTE -> (byte) readInt();
      case ValueTag.DECIMAL -> new BigDecimal(readText());
      case ValueTag.STRING -> readText();
      case ValueTag.BYTES -> readBytes();
      case ValueTag.DATE -> LocalDate.ofEpochDay(readLong());
      case ValueTag.TIME -> LocalTime.ofNanoOfDay(readLong());
      case ValueTag.DATE_TIME -> readDateTime();
      case ValueTag.OFFSET_DATE_TIME -> readOffsetDateTime();
      case ValueTag.TIMESTAMP -> readTimestamp();
      case ValueTag.UUID -> new UUID(readLong(), readLong());
      case ValueTag.ARRAY -> readArray();
      default -> throw new IllegalStateException("a value has the unknown tag " + tag);
    };
  }

  public LocalDateTime readDateTime() {
    LocalDate date = LocalDate.ofEpochDay(readLong());
    return LocalDateTime.of(date, LocalTime.ofNanoOfDay(readLong()));
  }

  public OffsetDateTime readOffsetDateTime() {
    LocalDateTime local = readDateTime();
    return OffsetDateTime.of(local, ZoneOffset.ofTotalSeconds(readInt()));
  }

  public Timestamp readTimestamp() {
    Timestamp read = new Timestamp(readLong());
    read.setNanos(readInt());
    return read;
  }

  private String readText() {
    int length = readInt();
    return new String(block, skip(length), length, StandardCharsets.UTF_8);
  }

  private byte[] readBytes() {
    int length = readInt();
    byte[] bytes = new byte[length];
    System.arraycopy(block, skip(length), bytes, 0, length);
    return bytes;
  }

  private @Nullable Object[] readArray() {
    @Nullable Object[] elements = new @Nullable Object[readInt()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = readValue();
    }
    return elements;
  }
}
