package dev.twophase.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The parameters of a statement of the user's own. A binder sets each of them, to null where that
 * is meant; a record for which it does not fails the job. Valid during the call only.
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
