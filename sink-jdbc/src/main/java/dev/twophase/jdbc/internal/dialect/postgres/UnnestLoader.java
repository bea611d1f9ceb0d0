package dev.twophase.jdbc.internal.dialect.postgres;

import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.dialect.Loader;
import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL: one parameter per column, an array of its values. Values that are arrays themselves
 * travel as text, and are cast one by one: unnest would take arrays of arrays apart down to their
 * elements, and they would all have to be of one length.
 */
final class UnnestLoader implements Loader {

  private static final int BATCH_ROWS = 5_000;
  private static final String ARRAY = "[]";

  private final Dialect dialect;

  UnnestLoader(Dialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public void load(Connection connection, Target target, Blocks blocks) throws Exception {
    int width = target.columns().size();
    List<List<@Nullable Object>> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(new ArrayList<>(BATCH_ROWS));
    }
    try (PreparedStatement statement = connection.prepareStatement(sql(connection, target))) {
      for (RowReader rows = blocks.next(); rows != null; rows = blocks.next()) {
        while (rows.next()) {
          for (List<@Nullable Object> column : columns) {
            column.add(rows.readValue());
          }
          if (columns.get(0).size() == BATCH_ROWS) {
            send(statement, columns);
          }
        }
      }
      if (!columns.get(0).isEmpty()) {
        send(statement, columns);
      }
    }
  }

  private static void send(PreparedStatement statement, List<List<@Nullable Object>> columns)
      throws SQLException {
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).replaceAll(UnnestLoader::arrayAsText);
      statement.setObject(i + 1, PostgresText.array(columns.get(i).toArray()), Types.OTHER);
      columns.get(i).clear();
    }
    statement.executeUpdate();
  }

  private static @Nullable Object arrayAsText(@Nullable Object value) {
    return value instanceof @Nullable Object[] array ? PostgresText.array(array) : value;
  }

  private String sql(Connection connection, Target target) throws SQLException {
    String table = dialect.table(target.schema(), target.table());
    Map<String, String> types = types(connection, table);
    List<String> parameters = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (String column : target.columns()) {
      String type = String.valueOf(types.get(column));
      boolean array = type.endsWith(ARRAY);
      String name = "c" + names.size();
      parameters.add("?::" + (array ? "text" : type) + ARRAY);
      names.add(name);
      values.add(array ? name + "::" + type : name);
    }
    return "INSERT INTO "
        + table
        + " ("
        + dialect.list(target.columns())
        + ") SELECT "
        + String.join(",", values)
        + " FROM unnest("
        + String.join(",", parameters)
        + ") AS u("
        + String.join(",", names)
        + ")";
  }

  /** Without lengths and precisions: a cast to those would shorten values silently. */
  private static Map<String, String> types(Connection connection, String table)
      throws SQLException {
    String sql =
        "SELECT attname, format_type(atttypid, -1) FROM pg_attribute"
            + " WHERE attrelid = to_regclass(?) AND attnum > 0";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, table);
      Map<String, String> types = new HashMap<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          types.put(result.getString(1), result.getString(2));
        }
      }
      return types;
    }
  }
}
