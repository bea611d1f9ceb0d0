package dev.twophase.jdbc;

import dev.twophase.testkit.jdbc.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Statements of tests. */
public final class Sql {

  private Sql() {}

  public static void execute(DatabaseServer server, String... statements) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** First column of all rows, as text. */
  public static List<String> column(DatabaseServer server, String sql) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (result.next()) {
        values.add(result.getString(1));
      }
      return values;
    }
  }

  public static long number(DatabaseServer server, String sql) throws SQLException {
    return Long.parseLong(column(server, sql).get(0));
  }
}
