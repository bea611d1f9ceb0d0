package dev.twophase.jdbc.internal;

import dev.twophase.jdbc.internal.rows.RowBuffer;
import java.io.Serializable;

/** Turns a record into a row of a buffer. */
@FunctionalInterface
public interface RowWriter<T> extends Serializable {

  void write(T record, RowBuffer buffer) throws Exception;

  /**
   * Tells, before the first row, how many values each must have; only a statement of the user's own
   * has such a number.
   */
  default void expect(int values) {}

  /** Whether some records may delete a row that others write. */
  default boolean deletes() {
    return false;
  }
}
