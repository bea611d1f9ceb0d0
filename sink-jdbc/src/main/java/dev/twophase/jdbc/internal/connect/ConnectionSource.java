package dev.twophase.jdbc.internal.connect;

import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from. Serializable; holds no secret. */
@FunctionalInterface
public interface ConnectionSource extends Serializable {

  Connection connect() throws SQLException;

  /** For messages; no secret. */
  default String describe() {
    return "your data source";
  }
}
