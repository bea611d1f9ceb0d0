package dev.twophase.jdbc.internal.dialect.postgres;

import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.dialect.Loader;
import dev.twophase.jdbc.internal.dialect.Problems;
import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;
import org.postgresql.core.BaseConnection;

/** PostgreSQL. */
public final class PostgresDialect extends Dialect {

  /** Rows from which on a temporary table pays. */
  private static final int WORTH_A_TABLE = 500;

  /** Of a subtask: its writer's, its committer's, and one that reads what the other writes. */
  private static final int CONNECTIONS = 3;

  /** What a page holds beside its own header. */
  private static final int LARGEST_ROW = 8_160;

  @Override
  public String name() {
    return "PostgreSQL";
  }

  @Override
  public boolean storesNul() {
    return false;
  }

  @Override
  public void prepareSession(Connection connection, Duration lockTimeout) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "SET lock_timeout="
              + lockTimeout.toMillis()
              + "; SET idle_in_transaction_session_timeout="
              + 2 * lockTimeout.toMillis());
    }
  }

  @Override
  public String textType(int length) {
    return "VARCHAR(" + length + ") COLLATE \"C\"";
  }

  @Override
  public String longTextType() {
    return "TEXT";
  }

  @Override
  public String bytesType() {
    return "BYTEA";
  }

  /**
   * With its key it fills a page of 8 KiB, which is all that a row stored in one piece may take.
   */
  @Override
  public int blockBytes() {
    return 7_800;
  }

  @Override
  public String storesAsIs(String table, String column) {
    return "; ALTER TABLE "
        + table
        + " ALTER COLUMN "
        + column
        + " SET STORAGE EXTERNAL; ALTER TABLE "
        + table
        + " SET (toast_tuple_target = "
        + LARGEST_ROW
        + ")";
  }

  @Override
  public boolean addBlocks(
      Connection connection, String table, List<String> key, int firstNumber, List<byte[]> blocks)
      throws SQLException {
    if (!CopyLoader.isAvailable() || !connection.isWrapperFor(BaseConnection.class)) {
      return false;
    }
    BlockCopy.add(connection.unwrap(BaseConnection.class), table, key, firstNumber, blocks);
    return true;
  }

  /** A COPY has the connection to itself. */
  @Override
  public boolean loadsWhileReading() {
    return true;
  }

  @Override
  public void expectBytes(PreparedStatement query) throws SQLException {
    if (CopyLoader.isAvailable() && query.isWrapperFor(PGStatement.class)) {
      // Below zero: in binary from the first execution on.
      query.unwrap(PGStatement.class).setPrepareThreshold(-1);
    }
  }

  @Override
  public Optional<String> insertUnlessThere(String insert, String keyColumns) {
    return Optional.of(insert + " ON CONFLICT (" + keyColumns + ") DO NOTHING");
  }

  @Override
  public boolean upsertsInOneStatement() {
    return true;
  }

  @Override
  public String upsertClause(Target target) {
    String keys = " ON CONFLICT (" + list(target.keyColumns()) + ") DO ";
    if (target.otherColumns().isEmpty()) {
      return keys + "NOTHING";
    }
    return keys
        + "UPDATE SET "
        + target.otherColumns().stream()
            .map(column -> quote(column) + "=EXCLUDED." + quote(column))
            .collect(Collectors.joining(","));
  }

  @Override
  public Loader loader(Target target, BulkPath path, int batchSize, long rows) {
    Operation operation = target.operation();
    boolean copies =
        path == BulkPath.COPY
            || (path == BulkPath.AUTO
                && CopyLoader.isAvailable()
                && (operation == Operation.INSERT || rows >= WORTH_A_TABLE));
    if (path == BulkPath.UNNEST && operation == Operation.INSERT) {
      return new UnnestLoader(this);
    }
    if (!copies || operation == Operation.SQL) {
      return super.loader(
          target, path == BulkPath.LOAD_DATA ? path : BulkPath.BATCH, batchSize, rows);
    }
    return operation == Operation.INSERT
        ? new CopyLoader(this, rows)
        : new PostgresMergeLoader(this);
  }

  @Override
  public void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value instanceof String text) {
      // Of no type, so that the server takes it for JSON, an enumeration or whatever the column is.
      statement.setObject(index, text, Types.OTHER);
    } else if (value instanceof @Nullable Object[] array) {
      statement.setObject(index, PostgresText.array(array), Types.OTHER);
    } else {
      super.bind(statement, index, value);
    }
  }

  @Override
  public void checkConstraintsAtOnce(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET CONSTRAINTS ALL IMMEDIATE");
    }
  }

  @Override
  public void letConstraintsWait(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET CONSTRAINTS ALL DEFERRED");
    }
  }

  /** A rule, or a trigger before the row, may do whatever it likes. */
  @Override
  public List<String> columnsInNeed(Connection connection, Target target) throws SQLException {
    String sql =
        "SELECT a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
            + " JOIN pg_type t ON t.oid = a.atttypid"
            + " WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped"
            + " AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''"
            + " AND t.typdefault IS NULL AND NOT c.relhasrules"
            + " AND NOT EXISTS (SELECT 1 FROM pg_trigger g WHERE (g.tgrelid = c.oid"
            + " OR g.tgrelid IN (SELECT relid FROM pg_partition_tree(c.oid)))"
            // Before each row that is inserted.
            + " AND NOT g.tgisinternal AND g.tgtype & 7 = 7)"
            + " ORDER BY a.attnum";
    return find(connection, sql, table(target.schema(), target.table()));
  }

  @Override
  public void check(Connection connection, Target target, int parallelism, Problems problems)
      throws SQLException {
    if (setting(connection, "synchronous_commit").equals("off")) {
      problems.refuse(
          "synchronous_commit",
          "off",
          "Turn it on for this database or user: with it off, a crash of the server loses what it"
              + " had acknowledged");
    }
    int most = Integer.parseInt(setting(connection, "max_connections"));
    int needed = CONNECTIONS * parallelism;
    if (most < needed) {
      problems.refuse(
          "max_connections",
          most,
          "Raise it to more than " + needed + ": each subtask uses up to " + CONNECTIONS);
    }
  }

  /** The table itself, the partitions that its rows are put into, and what is below a view. */
  @Override
  public void checkKeepsRows(Connection connection, String schema, String table, Problems problems)
      throws SQLException {
    String sql =
        "WITH RECURSIVE reached(oid) AS (SELECT to_regclass(?)::oid UNION"
            + " SELECT below.oid FROM reached JOIN pg_class c ON c.oid = reached.oid, LATERAL ("
            + " SELECT inhrelid AS oid FROM pg_inherits"
            + " WHERE inhparent = c.oid AND c.relkind = 'p' UNION ALL"
            + " SELECT d.refobjid FROM pg_rewrite r JOIN pg_depend d ON d.objid = r.oid"
            + " AND d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass"
            + " WHERE r.ev_class = c.oid AND c.relkind = 'v') below)"
            + " SELECT c.oid::regclass::text, c.relpersistence = 't' FROM pg_class c"
            + " JOIN reached ON reached.oid = c.oid WHERE c.relpersistence <> 'p'";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, table(schema, table));
      try (ResultSet result = statement.executeQuery()) {
        if (result.next()) {
          problems.refuse(
              "table " + result.getString(1),
              result.getBoolean(2) ? "TEMPORARY" : "UNLOGGED",
              "ALTER TABLE … SET LOGGED, or make it anew: a crash of the server empties it");
        }
      }
    }
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SHOW " + name)) {
      result.next();
      return result.getString(1);
    }
  }
}
