package dev.twophase.jdbc.internal.dialect;

import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.internal.rows.RowLimit;
import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** MariaDB and MySQL. */
public final class MariaDbDialect extends Dialect {

  /** More than a packet holds beside a row's values and the statement for them. */
  private static final int OF_A_STATEMENT = 4_096;

  /** What the driver sends of a file in one packet, and more than that. */
  private static final long OF_A_FILE = 1 << 17;

  /** "Field doesn't have a default value". */
  private static final int NO_DEFAULT = 1364;

  private final boolean mariaDb;

  /** Of the session; the least that a server can be told. */
  private long packet = 1_024;

  public MariaDbDialect(boolean mariaDb) {
    this.mariaDb = mariaDb;
  }

  @Override
  public String name() {
    return mariaDb ? "MariaDB" : "MySQL";
  }

  @Override
  public void prepareSession(Connection connection, Duration lockTimeout) throws SQLException {
    packet = Long.parseLong(setting(connection, "max_allowed_packet"));
    long seconds = Math.max(1, lockTimeout.toSeconds());
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION innodb_lock_wait_timeout=" + seconds);
      // A value that does not fit must be an error, not a warning.
      statement.execute("SET SESSION sql_mode=CONCAT(@@sql_mode,',STRICT_ALL_TABLES')");
      if (mariaDb) {
        statement.execute("SET SESSION idle_transaction_timeout=" + (2 * seconds));
      }
    }
  }

  @Override
  public String quote(String identifier) {
    return '`' + identifier.replace("`", "``") + '`';
  }

  @Override
  public String textType(int length) {
    return "VARCHAR(" + length + ") CHARACTER SET ascii COLLATE ascii_bin";
  }

  @Override
  public String longTextType() {
    return "LONGTEXT";
  }

  @Override
  public String bytesType() {
    return "LONGBLOB";
  }

  @Override
  public String tableSuffix() {
    return " ENGINE=InnoDB";
  }

  @Override
  public boolean upsertsInOneStatement() {
    return true;
  }

  @Override
  public String upsertClause(Target target) {
    List<String> updated =
        target.otherColumns().isEmpty() ? target.keyColumns() : target.otherColumns();
    return " ON DUPLICATE KEY UPDATE "
        + updated.stream()
            .map(column -> quote(column) + "=VALUES(" + quote(column) + ")")
            .collect(Collectors.joining(","));
  }

  @Override
  public Loader loader(Target target, BulkPath path, int batchSize, long rows) {
    Loader batches =
        super.loader(target, path == BulkPath.LOAD_DATA ? BulkPath.BATCH : path, batchSize, rows);
    return path == BulkPath.LOAD_DATA
            && mariaDb
            && packet > OF_A_FILE
            && target.operation() == Operation.INSERT
        ? new LoadDataLoader(this, batches)
        : batches;
  }

  @Override
  public void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    super.bind(statement, index, value instanceof UUID uuid ? uuid.toString() : value);
  }

  @Override
  public void checkKeepsRows(Connection connection, String schema, String table, Problems problems)
      throws SQLException {
    String sql =
        "SELECT engine FROM information_schema.tables WHERE table_name=? AND table_schema="
            + (schema.isEmpty() ? "DATABASE()" : "?");
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, table);
      if (!schema.isEmpty()) {
        statement.setString(2, schema);
      }
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next()) {
          return;
        }
        String engine = result.getString(1);
        if (engine == null) {
          problems.refuse(
              "table " + table(schema, table),
              "a view",
              "Name the table that it shows: whether that one has transactions cannot be seen here");
        }
        if (!"InnoDB".equalsIgnoreCase(engine)) {
          problems.refuse(
              "table " + table(schema, table),
              "of engine " + engine,
              "ALTER TABLE … ENGINE=InnoDB: other engines have no transactions");
        }
      }
    }
  }

  @Override
  public void check(Connection connection, Target target, int parallelism, Problems problems)
      throws SQLException {
    String flush = setting(connection, "innodb_flush_log_at_trx_commit");
    if (flush.equals("0") || flush.equals("2")) {
      problems.refuse(
          "innodb_flush_log_at_trx_commit",
          flush,
          "Set it to 1: else a crash of the server or its host loses what it had acknowledged");
    }
    if (target.operation() == Operation.UPSERT && !isUnique(connection, target)) {
      problems.refuse(
          "key " + target.keyColumns(),
          "not unique in table " + target.describe(),
          "Make it the primary key or a unique index: without, every upsert would insert");
    }
  }

  @Override
  public List<String> columnsInNeed(Connection connection, Target target) throws SQLException {
    String schema = target.schema().isEmpty() ? connection.getCatalog() : target.schema();
    String sql =
        "SELECT column_name FROM information_schema.columns c"
            + " WHERE table_schema=? AND table_name=? AND is_nullable='NO'"
            + " AND column_default IS NULL"
            + " AND extra NOT LIKE '%auto_increment%' AND extra NOT LIKE '%GENERATED%'"
            + " AND NOT EXISTS (SELECT 1 FROM information_schema.triggers t"
            + " WHERE t.event_object_schema=c.table_schema AND t.event_object_table=c.table_name"
            + " AND t.event_manipulation='INSERT' AND t.action_timing='BEFORE')"
            + " ORDER BY ordinal_position";
    return find(connection, sql, schema, target.table());
  }

  @Override
  public boolean isForColumnInNeed(SQLException error) {
    return error.getErrorCode() == NO_DEFAULT;
  }

  /**
   * A row travels in one packet, with what else its statement consists of, and is text there, with
   * what has to be escaped in it. MySQL's driver writes bytes as hexadecimal digits.
   */
  @Override
  public RowLimit rowLimit(Connection connection, Target target) throws SQLException {
    boolean digits = connection.getMetaData().getDriverName().startsWith("MySQL");
    return RowLimit.ofText(
        packet - OF_A_STATEMENT - writeSql(target).getBytes(StandardCharsets.UTF_8).length,
        digits,
        "the server's max_allowed_packet, which is " + packet + ": raise that");
  }

  /** Rows as they are kept, bytes apart, take up to three times as much in a packet. */
  @Override
  public long mostTogether() {
    return packet / 4;
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT @@" + name)) {
      return result.next() ? String.valueOf(result.getString(1)) : "";
    }
  }

  private static boolean isUnique(Connection connection, Target target) throws SQLException {
    Map<String, Set<String>> indexes = new HashMap<>();
    String catalog = target.schema().isEmpty() ? connection.getCatalog() : target.schema();
    try (ResultSet result =
        connection.getMetaData().getIndexInfo(catalog, null, target.table(), true, false)) {
      while (result.next()) {
        indexes
            .computeIfAbsent(result.getString("INDEX_NAME"), name -> new HashSet<>())
            .add(result.getString("COLUMN_NAME"));
      }
    }
    return indexes.containsValue(Set.copyOf(target.keyColumns()));
  }
}
