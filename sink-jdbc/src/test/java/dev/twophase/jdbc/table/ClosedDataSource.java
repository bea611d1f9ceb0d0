package dev.twophase.jdbc.table;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** Says what a pool says that somebody has closed, with no code. */
public final class ClosedDataSource extends PGSimpleDataSource {

  private static final long serialVersionUID = 1L;

  @Override
  public Connection getConnection() throws SQLException {
    throw new SQLException("HikariDataSource HikariDataSource (HikariPool-1) has been closed.");
  }
}
