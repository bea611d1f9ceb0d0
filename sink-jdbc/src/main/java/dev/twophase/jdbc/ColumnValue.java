package dev.twophase.jdbc;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Tells the value of a column: null, a number, text, boolean, {@code byte[]}, {@code UUID}, a type
 * of {@code java.time} or {@code java.sql}, or an array or {@code List} of these.
 *
 * @param <T> type of the records
 */
@FunctionalInterface
public interface ColumnValue<T> extends Serializable {

  @Nullable Object of(T record) throws Exception;

  /**
   * What the values are of, to be compared with the column's type when the job starts. By default
   * {@code Object}: then it is that of the method referred to, as in {@code Order::id}, or unknown.
   */
  default Class<?> type() {
    return Object.class;
  }
}
