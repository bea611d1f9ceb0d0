package dev.twophase.jdbc.internal.connect;

import dev.twophase.jdbc.internal.dialect.DerbyDialect;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.dialect.H2Dialect;
import dev.twophase.jdbc.internal.dialect.MariaDbDialect;
import dev.twophase.jdbc.internal.dialect.postgres.PostgresDialect;
import java.sql.Connection;
import java.sql.SQLException;

/** Tells databases apart. */
final class Dialects {

  private Dialects() {}

  /** By what the database calls itself; the standard's way for any other. */
  static Dialect of(Connection connection) throws SQLException {
    return switch (connection.getMetaData().getDatabaseProductName()) {
      case "PostgreSQL" -> new PostgresDialect();
      case "MariaDB" -> new MariaDbDialect(true);
      case "MySQL" -> new MariaDbDialect(false);
      case "Apache Derby" -> new DerbyDialect();
      case "H2" -> new H2Dialect();
      default -> new Dialect();
    };
  }
}
