package dev.twophase.jdbc.internal.rows;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Rows block by block, from memory or from the database. Can be read once. */
@FunctionalInterface
public interface Blocks {

  /** The next block, or null after the last. */
  @Nullable RowReader next() throws SQLException;

  /** Whether {@link #next} leaves the connection alone. */
  default boolean nextIsHeld() {
    return false;
  }
}
