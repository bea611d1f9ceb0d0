package dev.twophase.jdbc.internal.dialect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.jdbc.internal.rows.RowBuffer;
import dev.twophase.jdbc.internal.rows.RowLimit;
import dev.twophase.jdbc.internal.rows.RowReader;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes to the server as bytes, and what is left to its own conversion. */
class PostgresBinaryTest {

  private static final LocalDateTime TIME = LocalDateTime.parse("2026-11-29T18:30:00.000001");

  private static PostgresBinary binary(int... types) {
    return new PostgresBinary(types);
  }

  private static RowReader row(@Nullable Object... values) {
    RowBuffer buffer = new RowBuffer(true, 1 << 20, RowLimit.own());
    buffer.beginRow(RowBuffer.WRITE, values.length);
    for (Object value : values) {
      buffer.value(value);
    }
    buffer.endRow();
    return new RowReader(buffer.takeAll().get(0));
  }

  @Test
  void aRowIsItsNumberOfValuesAndEachValueAfterItsLength() {
    PostgresBinary binary = binary(ColumnTypes.INT8, ColumnTypes.TEXT, ColumnTypes.BOOL);

    assertThat(binary.encode(row(258L, "é", null))).isTrue();

    assertThat(HexFormat.of().formatHex(binary.bytes(), 0, binary.length()))
        .isEqualTo("0003" + "00000008" + "0000000000000102" + "00000002" + "c3a9" + "ffffffff");
  }

  static Stream<Arguments> fitting() {
    return Stream.of(
        Arguments.of(1L, ColumnTypes.INT8),
        Arguments.of(1, ColumnTypes.INT8),
        Arguments.of(1L, ColumnTypes.INT4),
        Arguments.of((short) 1, ColumnTypes.INT2),
        Arguments.of(1.5, ColumnTypes.FLOAT8),
        Arguments.of(1.5f, ColumnTypes.FLOAT4),
        Arguments.of(true, ColumnTypes.BOOL),
        Arguments.of("x", ColumnTypes.VARCHAR),
        Arguments.of("x", ColumnTypes.BPCHAR),
        Arguments.of(new byte[] {1}, ColumnTypes.BYTEA),
        Arguments.of(new UUID(1, 2), ColumnTypes.UUID),
        Arguments.of(TIME.toLocalDate(), ColumnTypes.DATE),
        Arguments.of(TIME.toLocalTime(), ColumnTypes.TIME),
        Arguments.of(TIME, ColumnTypes.TIMESTAMP),
        Arguments.of(OffsetDateTime.parse(TIME + "+05:30"), ColumnTypes.TIMESTAMPTZ));
  }

  @ParameterizedTest
  @MethodSource("fitting")
  void aValueOfItsColumnsTypeGoesAsItIs(Object value, int type) {
    assertThat(binary(type).encode(row(value))).isTrue();
  }

  static Stream<Arguments> unfit() {
    return Stream.of(
        Arguments.of(1L << 40, ColumnTypes.INT4),
        Arguments.of(70_000, ColumnTypes.INT2),
        Arguments.of(1L, ColumnTypes.FLOAT8),
        Arguments.of(0.1f, ColumnTypes.FLOAT8),
        Arguments.of("1", ColumnTypes.INT8),
        Arguments.of(1L, ColumnTypes.TEXT),
        Arguments.of(new BigDecimal("1.5"), ColumnTypes.FLOAT8),
        Arguments.of(new Object[] {1L}, ColumnTypes.INT8),
        Arguments.of(LocalDate.of(10_000, 1, 1), ColumnTypes.DATE),
        Arguments.of(LocalDate.of(0, 1, 1), ColumnTypes.DATE),
        Arguments.of(LocalTime.ofNanoOfDay(1), ColumnTypes.TIME),
        Arguments.of(TIME.plusNanos(1), ColumnTypes.TIMESTAMP),
        Arguments.of(TIME, ColumnTypes.TIMESTAMPTZ),
        Arguments.of("x", 3802));
  }

  @ParameterizedTest
  @MethodSource("unfit")
  void anythingElseIsLeftToTheServer(Object value, int type) {
    assertThat(binary(type).encode(row(value))).isFalse();
  }
}
