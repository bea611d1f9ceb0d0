package dev.twophase.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The parameters of a statement of the user's own. Those a binder does not set are NULL. Valid
 * during the call only.
 */
public interface Parameters {

  /**
   * Sets a parameter.
   *
   * @param index from 1, as in JDBC
   * @param value see {@link ColumnValue}
   * @throws IllegalArgumentException if the index is below 1 or above 10,000
   */
  void set(int index, @Nullable Object value);
}
