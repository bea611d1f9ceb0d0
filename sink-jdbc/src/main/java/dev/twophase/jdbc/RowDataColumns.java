package dev.twophase.jdbc;

import dev.twophase.jdbc.internal.TellsKind;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.function.SerializableFunction;
import org.jspecify.annotations.Nullable;

/**
 * Columns of Flink's internal rows, for {@link TransactionalJdbcSink#key} and {@link
 * TransactionalJdbcSink#column}. Needs {@code flink-table-common}, which a cluster has. For {@code
 * Row}, say {@code row -> row.getField("name")}.
 */
public final class RowDataColumns {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private RowDataColumns() {}

  /**
   * The field at an index.
   *
   * @throws IllegalArgumentException if no column can hold a value of this type
   */
  public static ColumnValue<RowData> field(int index, LogicalType type) {
    checkType(type);
    RowData.FieldGetter getter = RowData.createFieldGetter(type, index);
    return new Field(getter, type);
  }

  private record Field(RowData.FieldGetter getter, LogicalType logical)
      implements ColumnValue<RowData>, TellsKind<RowData> {

    @Override
    public RowKind kindOf(RowData row) {
      return row.getRowKind();
    }

    @Override
    public @Nullable Object of(RowData row) {
      return external(getter.getFieldOrNull(row), logical);
    }

    @Override
    public Class<?> type() {
      return switch (logical.getTypeRoot()) {
        case CHAR, VARCHAR -> String.class;
        case BOOLEAN -> Boolean.class;
        case BINARY, VARBINARY -> byte[].class;
        case DECIMAL -> BigDecimal.class;
        case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.class;
        case FLOAT, DOUBLE -> Double.class;
        case DATE -> LocalDate.class;
        case TIME_WITHOUT_TIME_ZONE -> LocalTime.class;
        case TIMESTAMP_WITHOUT_TIME_ZONE -> LocalDateTime.class;
        case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> Instant.class;
        case ARRAY -> Object[].class;
        default -> Object.class;
      };
    }
  }

  /** For {@link TransactionalJdbcSink#deleteWhen}: retractions delete. */
  public static SerializableFunction<RowData, Boolean> retractions() {
    return row -> row.getRowKind() == RowKind.DELETE || row.getRowKind() == RowKind.UPDATE_BEFORE;
  }

  private static void checkType(LogicalType type) {
    switch (type.getTypeRoot()) {
      case ROW, MAP, MULTISET, RAW, STRUCTURED_TYPE, DISTINCT_TYPE, SYMBOL, UNRESOLVED ->
          throw new IllegalArgumentException(
              "A column cannot hold " + type + ": turn it into text, or take it apart");
      case ARRAY -> checkType(((ArrayType) type).getElementType());
      default -> {
        return;
      }
    }
  }

  private static @Nullable Object external(@Nullable Object value, LogicalType type) {
    if (value instanceof StringData text) {
      return text.toString();
    }
    if (value instanceof DecimalData decimal) {
      return decimal.toBigDecimal();
    }
    if (value instanceof TimestampData timestamp) {
      return type.getTypeRoot() == LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE
          ? timestamp.toInstant()
          : timestamp.toLocalDateTime();
    }
    if (value instanceof Integer number && type.getTypeRoot() == LogicalTypeRoot.DATE) {
      return LocalDate.ofEpochDay(number);
    }
    if (value instanceof Integer number
        && type.getTypeRoot() == LogicalTypeRoot.TIME_WITHOUT_TIME_ZONE) {
      return LocalTime.ofNanoOfDay(number * NANOS_PER_MILLI);
    }
    if (value instanceof ArrayData array && type instanceof ArrayType arrayType) {
      LogicalType element = arrayType.getElementType();
      ArrayData.ElementGetter getter = ArrayData.createElementGetter(element);
      @Nullable Object[] elements = new @Nullable Object[array.size()];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = external(getter.getElementOrNull(array, i), element);
      }
      return elements;
    }
    return value;
  }
}
