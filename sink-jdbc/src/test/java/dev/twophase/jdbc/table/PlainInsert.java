package dev.twophase.jdbc.table;

import dev.twophase.testkit.jdbc.DatabaseServer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Rows written one by one with JDBC alone, by nothing of this library. */
final class PlainInsert {

  private PlainInsert() {}

  /**
   * Inserts rows into a table.
   *
   * @param types of its columns, in the words of SQL
   */
  static void into(DatabaseServer server, String table, List<String> types, List<Object[]> rows)
      throws SQLException {
    String sql = "INSERT INTO " + table + " VALUES (?" + ",?".repeat(types.size() - 1) + ")";
    try (Connection connection = server.connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      connection.setAutoCommit(false);
      for (Object[] row : rows) {
        for (int i = 0; i < row.length; i++) {
          set(connection, statement, i + 1, types.get(i), row[i]);
        }
        statement.executeUpdate();
      }
      connection.commit();
    }
  }

  private static void set(
      Connection connection, PreparedStatement statement, int index, String type, Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, Types.NULL);
    } else if (type.endsWith("[]")) {
      String element = type.substring(0, type.indexOf('[')).toLowerCase(Locale.ROOT);
      Array array = connection.createArrayOf(element, elements(value));
      statement.setArray(index, array);
    } else if (type.equals("JSONB")) {
      statement.setObject(index, value, Types.OTHER);
    } else if (value instanceof Instant instant) {
      statement.setObject(index, instant.atOffset(ZoneOffset.UTC));
    } else if (value instanceof BigInteger number) {
      statement.setBigDecimal(index, new BigDecimal(number));
    } else {
      statement.setObject(index, value);
    }
  }

  private static Object[] elements(Object value) {
    if (value instanceof long[] numbers) {
      return Arrays.stream(numbers).boxed().toArray();
    }
    List<?> list = (List<?>) value;
    if (!list.isEmpty() && list.get(0) instanceof List<?>) {
      return list.stream()
          .map(inner -> ((List<?>) inner).toArray(new Integer[0]))
          .toArray(Integer[][]::new);
    }
    return list.toArray();
  }
}
