package dev.twophase.jdbc.internal;

import dev.twophase.jdbc.ColumnValue;
import dev.twophase.jdbc.internal.rows.RowBuffer;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.function.SerializableFunction;
import org.jspecify.annotations.Nullable;

/** Rows of named columns. */
public final class ColumnRows<T> implements RowWriter<T> {

  private static final long serialVersionUID = 1L;
  private static final int LONGEST_KEY = 80;
  private static final int NO_COLUMN = -1;

  private final ArrayList<String> names;
  private final ArrayList<ColumnValue<T>> values;
  private final int keys;
  private final Operation operation;
  private final @Nullable ColumnValue<T> tellsKind;
  private final @Nullable SerializableFunction<T, Boolean> deletes;

  /**
   * @param keys number of columns, from the first, that must not be null
   * @param operation what a record does
   * @param deletes tells records that delete their row; null if none do
   */
  public ColumnRows(
      List<String> names,
      List<ColumnValue<T>> values,
      int keys,
      Operation operation,
      @Nullable SerializableFunction<T, Boolean> deletes) {
    this.names = new ArrayList<>(names);
    this.values = new ArrayList<>(values);
    this.keys = keys;
    this.operation = operation;
    this.tellsKind =
        values.stream().filter(value -> value instanceof TellsKind).findFirst().orElse(null);
    this.deletes = deletes;
  }

  @Override
  public boolean deletes() {
    return deletes != null;
  }

  @Override
  public void write(T record, RowBuffer buffer) throws Exception {
    boolean delete = deletes != null && isDelete(deletes, record);
    if (deletes == null && operation != Operation.DELETE) {
      refuseRetraction(record);
    }
    int count = delete ? keys : values.size();
    buffer.beginRow(delete ? RowBuffer.DELETE : RowBuffer.WRITE, count);
    for (int i = 0; i < count; i++) {
      Object value = value(i, record);
      if (value == null && i < keys) {
        throw unfit(i, record, "is null, and part of the key: a key must have a value", null);
      }
      try {
        buffer.value(value);
      } catch (IllegalArgumentException unfit) {
        throw unfit(i, record, unfit.getMessage(), unfit);
      }
    }
    try {
      buffer.endRow();
    } catch (IllegalArgumentException tooLarge) {
      throw new IllegalArgumentException(
          "The record" + ofKey(record, NO_COLUMN) + ": " + tooLarge.getMessage(), tooLarge);
    }
  }

  /** It would be written as a row: deleted rows would stay, or be there twice. */
  private void refuseRetraction(T record) {
    RowKind kind = kind(record);
    if (kind == RowKind.DELETE
        || (kind == RowKind.UPDATE_BEFORE && operation == Operation.INSERT)) {
      throw new IllegalArgumentException(
          "A record of kind "
              + kind
              + " came, which "
              + (operation == Operation.UPSERT ? "upsertInto" : "insertInto")
              + " would write as a row: use upsertInto with deleteWhen(...), leave such records out"
              + " before the sink, or, where the table keeps changes, set their kind to INSERT");
    }
  }

  @SuppressWarnings("unchecked") // a column of these records
  private RowKind kind(T record) {
    if (tellsKind instanceof TellsKind<?> tells) {
      return ((TellsKind<T>) tells).kindOf(record);
    }
    return record instanceof Row row ? row.getKind() : RowKind.INSERT;
  }

  private static <T> boolean isDelete(SerializableFunction<T, Boolean> deletes, T record) {
    Boolean answer = deletes.apply(record);
    if (answer == null) {
      throw new IllegalArgumentException("deleteWhen returned null: return true or false");
    }
    return answer;
  }

  private @Nullable Object value(int column, T record) {
    try {
      return values.get(column).of(record);
    } catch (Exception failed) {
      throw unfit(column, record, "its value cannot be had from the record: " + failed, failed);
    }
  }

  private IllegalArgumentException unfit(
      int column, T record, @Nullable String why, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "Column '" + names.get(column) + "'" + ofKey(record, column) + ": " + why, cause);
  }

  /** Which of thousands of records it is, only its key tells. */
  private String ofKey(T record, int except) {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < keys && i != except; i++) {
      String value;
      try {
        value = String.valueOf(values.get(i).of(record));
      } catch (Exception unknown) {
        value = "?";
      }
      row.append(i == 0 ? " of the row with " : ", ").append(names.get(i)).append('=');
      row.append(value, 0, Math.min(value.length(), LONGEST_KEY));
    }
    return row.toString();
  }
}
