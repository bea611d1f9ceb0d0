package dev.twophase.jdbc.internal;

import dev.twophase.jdbc.internal.rows.RowBuffer;
import java.io.Serializable;

/** Turns a record into a row of a buffer. */
@FunctionalInterface
public interface RowWriter<T> extends Serializable {

  void write(T record, RowBuffer buffer) throws Exception;

  /** Whether some records may delete a row that others write. */
  default boolean deletes() {
    return false;
  }
}
