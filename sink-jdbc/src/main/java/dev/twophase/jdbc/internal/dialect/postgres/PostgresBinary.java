package dev.twophase.jdbc.internal.dialect.postgres;

import dev.twophase.jdbc.internal.rows.Bytes;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.ValueTag;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;

/**
 * Rows in the binary form of COPY, which the server takes as they are. Only values that mean the
 * same as their text would: for everything else the caller falls back on text.
 */
final class PostgresBinary {

  private static final long EPOCH_DAY_2000 = LocalDate.of(2000, 1, 1).toEpochDay();
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int LONGEST_FIXED = 20;

  private final int[] types;
  private byte[] buffer = new byte[1 << 17];
  private int length;

  /**
   * @param types of the columns
   */
  PostgresBinary(int[] types) {
    this.types = types;
  }

  byte[] bytes() {
    return buffer;
  }

  int length() {
    return length;
  }

  /**
   * Replaces what is held by the rows of a block.
   *
   * @return false if a value does not fit its column as it is; then nothing of this may be used
   */
  boolean encode(RowReader block) {
    length = 0;
    while (block.next()) {
      int values = block.values();
      if (values != types.length) {
        return false;
      }
      reserve(2);
      buffer[length++] = (byte) (values >> 8);
      buffer[length++] = (byte) values;
      for (int i = 0; i < values; i++) {
        if (!value(block, types[i])) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean value(RowReader row, int type) {
    reserve(LONGEST_FIXED);
    byte tag = row.readTag();
    return switch (tag) {
      case ValueTag.NULL -> {
        putInt(-1);
        yield true;
      }
      case ValueTag.STRING -> {
        bytes(row);
        yield type == ColumnTypes.TEXT || type == ColumnTypes.VARCHAR || type == ColumnTypes.BPCHAR;
      }
      case ValueTag.LONG -> integer(row.readLong(), type);
      case ValueTag.INT, ValueTag.SHORT, ValueTag.BYTE -> integer(row.readInt(), type);
      case ValueTag.DOUBLE -> {
        eight(row.readLong());
        yield type == ColumnTypes.FLOAT8;
      }
      case ValueTag.FLOAT -> {
        four(row.readInt());
        yield type == ColumnTypes.FLOAT4;
      }
      case ValueTag.TRUE, ValueTag.FALSE -> {
        putInt(1);
        buffer[length++] = (byte) (tag == ValueTag.TRUE ? 1 : 0);
        yield type == ColumnTypes.BOOL;
      }
      case ValueTag.BYTES -> {
        bytes(row);
        yield type == ColumnTypes.BYTEA;
      }
      case ValueTag.UUID -> {
        putInt(16);
        putLong(row.readLong());
        putLong(row.readLong());
        yield type == ColumnTypes.UUID;
      }
      case ValueTag.DATE -> date(row.readLong(), type);
      case ValueTag.TIME -> type == ColumnTypes.TIME && moment(EPOCH_DAY_2000, row.readLong(), 0);
      case ValueTag.DATE_TIME ->
          type == ColumnTypes.TIMESTAMP && moment(row.readLong(), row.readLong(), 0);
      case ValueTag.OFFSET_DATE_TIME ->
          type == ColumnTypes.TIMESTAMPTZ && moment(row.readLong(), row.readLong(), row.readInt());
      case ValueTag.TIMESTAMP -> timestamp(row.readTimestamp(), type);
      default -> false;
    };
  }

  private boolean timestamp(Timestamp value, int type) {
    LocalDateTime wall = value.toLocalDateTime();
    return (type == ColumnTypes.TIMESTAMPTZ || type == ColumnTypes.TIMESTAMP)
        && moment(
            wall.toLocalDate().toEpochDay(),
            wall.toLocalTime().toNanoOfDay(),
            type == ColumnTypes.TIMESTAMPTZ ? PostgresText.offset(value).getTotalSeconds() : 0);
  }

  private boolean integer(long value, int type) {
    switch (type) {
      case ColumnTypes.INT8 -> eight(value);
      case ColumnTypes.INT4 -> {
        four((int) value);
        return value == (int) value;
      }
      case ColumnTypes.INT2 -> {
        putInt(2);
        buffer[length++] = (byte) (value >> 8);
        buffer[length++] = (byte) value;
        return value == (short) value;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean date(long day, int type) {
    four((int) (day - EPOCH_DAY_2000));
    return type == ColumnTypes.DATE && day >= FIRST_DAY && day <= LAST_DAY;
  }

  /** Finer than a microsecond, or outside the years of four digits, is the server's to decide. */
  private boolean moment(long day, long nanoOfDay, int offsetSeconds) {
    long micros = (day - EPOCH_DAY_2000) * MICROS_PER_DAY + nanoOfDay / 1_000;
    eight(micros - offsetSeconds * 1_000_000L);
    return nanoOfDay % 1_000 == 0 && day >= FIRST_DAY && day <= LAST_DAY;
  }

  private void bytes(RowReader row) {
    int count = row.readInt();
    reserve(count + 4);
    putInt(count);
    System.arraycopy(row.block(), row.skip(count), buffer, length, count);
    length += count;
  }

  private void four(int value) {
    putInt(4);
    putInt(value);
  }

  private void eight(long value) {
    putInt(8);
    putLong(value);
  }

  private void putInt(int value) {
    Bytes.INT.set(buffer, length, value);
    length += 4;
  }

  private void putLong(long value) {
    Bytes.LONG.set(buffer, length, value);
    length += 8;
  }

  private void reserve(int bytes) {
    if (buffer.length - length < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + bytes));
    }
  }
}
