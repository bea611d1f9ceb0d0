package dev.twophase.jdbc.internal.dialect.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Object ids of PostgreSQL's own types, which never change. */
final class ColumnTypes {

  static final int BOOL = 16;
  static final int BYTEA = 17;
  static final int INT8 = 20;
  static final int INT2 = 21;
  static final int INT4 = 23;
  static final int TEXT = 25;
  static final int FLOAT4 = 700;
  static final int FLOAT8 = 701;
  static final int BPCHAR = 1042;
  static final int VARCHAR = 1043;
  static final int DATE = 1082;
  static final int TIME = 1083;
  static final int TIMESTAMP = 1114;
  static final int TIMESTAMPTZ = 1184;
  static final int UUID = 2950;

  private ColumnTypes() {}

  /** The types of a table's columns, in this order; 0 for one that is not there. */
  static int[] of(Connection connection, String table, List<String> columns) throws SQLException {
    String sql =
        "SELECT attname, atttypid::bigint FROM pg_attribute"
            + " WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped";
    Map<String, Integer> types = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, table);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          types.put(result.getString(1), (int) result.getLong(2));
        }
      }
    }
    return columns.stream().mapToInt(column -> types.getOrDefault(column, 0)).toArray();
  }
}
