package dev.twophase.jdbc.internal.dialect.postgres;

import dev.twophase.jdbc.internal.dialect.Loader;
import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.RowBuffer;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.sql.Connection;
import java.sql.Statement;
import java.util.stream.Collectors;
import org.postgresql.core.BaseConnection;

/**
 * Upserts and deletes by COPY into a temporary table and one statement from there. Of several rows
 * with one key the last counts, as it would one by one; where one of them deletes, what was there
 * before is gone, columns that the sink does not write included.
 */
final class PostgresMergeLoader implements Loader {

  private static final String ROWS = "pg_temp.twophase_rows";
  private static final String PLACE = "twophase_place";
  private static final String DELETES = "twophase_deletes";

  private final PostgresDialect dialect;

  PostgresMergeLoader(PostgresDialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public void load(Connection connection, Target target, Blocks blocks) throws Exception {
    String table = dialect.table(target.schema(), target.table());
    String columns = dialect.list(target.columns());
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TEMP TABLE twophase_rows ON COMMIT DROP AS SELECT "
              + columns
              + ", 0::bigint AS "
              + PLACE
              + ", false AS "
              + DELETES
              + " FROM "
              + table
              + " WITH NO DATA");
      boolean deletes = copy(connection, target, blocks);
      if (target.operation() == Operation.DELETE || deletes) {
        statement.execute(deleteSql(target, table));
      }
      if (target.operation() == Operation.UPSERT) {
        statement.execute(
            "INSERT INTO "
                + table
                + " ("
                + columns
                + ") SELECT "
                + columns
                + " FROM "
                + lastOfEachKey(target)
                + " WHERE NOT "
                + DELETES
                + dialect.upsertClause(target));
      }
      statement.execute("DROP TABLE " + ROWS);
    }
  }

  private boolean copy(Connection connection, Target target, Blocks blocks) throws Exception {
    String sql =
        "COPY "
            + ROWS
            + " ("
            + dialect.list(target.columns())
            + ","
            + PLACE
            + ","
            + DELETES
            + ") FROM STDIN";
    PostgresText text = new PostgresText();
    boolean deletes = false;
    long place = 0;
    try (CopyStream copy = new CopyStream(connection.unwrap(BaseConnection.class), sql)) {
      for (RowReader rows = blocks.next(); rows != null; rows = blocks.next()) {
        while (rows.next()) {
          boolean delete = rows.operation() == RowBuffer.DELETE;
          deletes |= delete;
          text.row(rows, target.columns().size(), place++, delete);
          if (text.length() >= CopyStream.PACKET_BYTES) {
            copy.send(false, text.bytes(), text.length());
            text.clear();
          }
        }
        copy.send(false, text.bytes(), text.length());
        text.clear();
      }
      copy.end();
    }
    return deletes;
  }

  private String deleteSql(Target target, String table) {
    String byKey =
        target.keyColumns().stream()
            .map(dialect::quote)
            .map(key -> "twophase_target." + key + "=twophase_gone." + key)
            .collect(Collectors.joining(" AND "));
    return "DELETE FROM "
        + table
        + " AS twophase_target USING (SELECT DISTINCT "
        + dialect.list(target.keyColumns())
        + " FROM "
        + ROWS
        + (target.operation() == Operation.DELETE ? "" : " WHERE " + DELETES)
        + ") AS twophase_gone WHERE "
        + byKey;
  }

  private String lastOfEachKey(Target target) {
    String keys = dialect.list(target.keyColumns());
    return "(SELECT DISTINCT ON ("
        + keys
        + ") * FROM "
        + ROWS
        + " ORDER BY "
        + keys
        + ", "
        + PLACE
        + " DESC) AS twophase_last";
  }
}
