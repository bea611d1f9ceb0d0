package dev.twophase.jdbc.internal;

import dev.twophase.jdbc.ColumnValue;
import dev.twophase.jdbc.internal.rows.RowBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.util.function.SerializableFunction;
import org.jspecify.annotations.Nullable;

/** Rows of named columns. */
public final class ColumnRows<T> implements RowWriter<T> {

  private static final long serialVersionUID = 1L;

  private final ArrayList<String> names;
  private final ArrayList<ColumnValue<T>> values;
  private final int keys;
  private final @Nullable SerializableFunction<T, Boolean> deletes;

  /**
   * @param keys number of columns, from the first, that must not be null
   * @param deletes tells records that delete their row; null if none do
   */
  public ColumnRows(
      List<String> names,
      List<ColumnValue<T>> values,
      int keys,
      @Nullable SerializableFunction<T, Boolean> deletes) {
    this.names = new ArrayList<>(names);
    this.values = new ArrayList<>(values);
    this.keys = keys;
    this.deletes = deletes;
  }

  @Override
  public boolean deletes() {
    return deletes != null;
  }

  @Override
  public void write(T record, RowBuffer buffer) throws Exception {
    boolean delete = deletes != null && deletes.apply(record);
    int count = delete ? keys : values.size();
    buffer.beginRow(delete ? RowBuffer.DELETE : RowBuffer.WRITE, count);
    for (int i = 0; i < count; i++) {
      Object value = values.get(i).of(record);
      if (value == null && i < keys) {
        throw new IllegalArgumentException(
            "Column '"
                + names.get(i)
                + "' is part of the key and is null: a key must have a value");
      }
      try {
        buffer.value(value);
      } catch (IllegalArgumentException unfit) {
        throw new IllegalArgumentException(
            "Column '" + names.get(i) + "': " + unfit.getMessage(), unfit);
      }
    }
    buffer.endRow();
  }
}
