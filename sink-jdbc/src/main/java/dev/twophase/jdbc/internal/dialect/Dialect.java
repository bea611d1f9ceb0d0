package dev.twophase.jdbc.internal.dialect;

import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.internal.rows.RowLimit;
import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases. This class is the standard's way, for databases nobody here
 * knows. Stateless.
 */
public class Dialect {

  /** Classes of SQLSTATE; P0 is PostgreSQL's for what a routine raises, 45 is MySQL's. */
  private static final Set<String> PERMANENT =
      Set.of(
          "09", "0A", "21", "22", "23", "27", "2D", "2F", "38", "39", "42", "44", "45", "54", "P0");

  /** "Cannot run inside a transaction block". */
  private static final String NOT_IN_A_TRANSACTION = "25001";

  /** PostgreSQL, Derby and H2. */
  private static final Set<String> RIGHTS = Set.of("42501", "42500", "42502", "90096");

  /** On a table, and on a column of one. */
  private static final Set<Integer> MARIADB_RIGHTS = Set.of(1142, 1143);

  /** PostgreSQL; MariaDB, MySQL and H2; Derby, also of a schema. */
  private static final Set<String> MISSING_TABLE = Set.of("42P01", "42S02", "42X05", "42Y07");

  /** For messages. */
  public String name() {
    return "this database";
  }

  /** One of {@link Connection}'s constants. */
  public int isolation() {
    return Connection.TRANSACTION_READ_COMMITTED;
  }

  /** Whether text can hold the character NUL. */
  public boolean storesNul() {
    return true;
  }

  /**
   * Limits how long this process waits for locks, and to twice that, how long it holds them when it
   * is frozen. Where the database offers neither, nothing happens.
   */
  public void prepareSession(Connection connection, Duration lockTimeout) throws SQLException {}

  /** An identifier, exactly as the user wrote it. */
  public String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  /** A table's name in SQL. */
  public final String table(String schema, String table) {
    return schema.isEmpty() ? quote(table) : quote(schema) + "." + quote(table);
  }

  /** A type for short ASCII text that is compared byte by byte. */
  public String textType(int length) {
    return "VARCHAR(" + length + ")";
  }

  /** A type for text of any length. */
  public String longTextType() {
    return "CLOB";
  }

  /** A type for some hundred kilobytes. */
  public String bytesType() {
    return "BLOB";
  }

  /** What is put after {@code CREATE TABLE t (…)} so that the table takes part in transactions. */
  public String tableSuffix() {
    return "";
  }

  /** Size of blocks of rows that this database stores cheaply; one row alone may be larger. */
  public int blockBytes() {
    return (int) Math.min(1 << 18, mostTogether());
  }

  /**
   * Most bytes that a batch of statements should bring, which drivers may make one message of. One
   * row alone may be larger, see {@link #rowLimit}.
   */
  public long mostTogether() {
    return Long.MAX_VALUE;
  }

  /**
   * What is put after the statement that creates a table, so that large values of a column are not
   * compressed, and blocks not stored apart.
   */
  public String storesAsIs(String table, String column) {
    return "";
  }

  /**
   * Adds blocks to a staging table in a way that only this database has.
   *
   * @param key of all of them: sink and transaction
   * @return false if there is no such way; nothing is added then
   */
  public boolean addBlocks(
      Connection connection, String table, List<String> key, int firstNumber, List<byte[]> blocks)
      throws SQLException {
    return false;
  }

  /** Whether a load goes on while more rows are read, which then needs another connection. */
  public boolean loadsWhileReading() {
    return false;
  }

  /** Has large bytes come as they are, where a driver would have them come as text. */
  public void expectBytes(PreparedStatement query) throws SQLException {}

  /** An INSERT that does nothing, and says so by its row count, if the key is there; or empty. */
  public Optional<String> insertUnlessThere(String insert, String keyColumns) {
    return Optional.empty();
  }

  /** Whether one statement writes or replaces a row; if not, an UPDATE is tried first. */
  public boolean upsertsInOneStatement() {
    return false;
  }

  /** The statement that writes one row, with its values in the order of the target's columns. */
  public String writeSql(Target target) {
    return switch (target.operation()) {
      case SQL -> target.sql();
      case DELETE -> deleteSql(target);
      case INSERT -> insertSql(target);
      case UPSERT -> insertSql(target) + upsertClause(target);
    };
  }

  /** A plain INSERT of all columns. */
  public final String insertSql(Target target) {
    return intoSql("INSERT", target, "");
  }

  /**
   * A statement that gives values to all columns.
   *
   * @param clause what is put between the columns and their values
   */
  final String intoSql(String verb, Target target, String clause) {
    return verb
        + " INTO "
        + table(target.schema(), target.table())
        + " ("
        + list(target.columns())
        + ")"
        + clause
        + " VALUES (?"
        + ",?".repeat(target.columns().size() - 1)
        + ")";
  }

  /** A DELETE by key, whose parameters are the key's values. */
  public final String deleteSql(Target target) {
    return "DELETE FROM " + table(target.schema(), target.table()) + " WHERE " + byKey(target);
  }

  /** An UPDATE by key, whose parameters are the other columns' values and then the key's. */
  public final String updateSql(Target target) {
    List<String> set =
        target.otherColumns().isEmpty() ? target.keyColumns() : target.otherColumns();
    return "UPDATE "
        + table(target.schema(), target.table())
        + " SET "
        + set.stream().map(column -> quote(column) + "=?").collect(Collectors.joining(","))
        + " WHERE "
        + byKey(target);
  }

  private String byKey(Target target) {
    return target.keyColumns().stream()
        .map(column -> quote(column) + "=?")
        .collect(Collectors.joining(" AND "));
  }

  /** Quoted names, separated by commas. */
  public final String list(List<String> columns) {
    return columns.stream().map(this::quote).collect(Collectors.joining(","));
  }

  /** A query for the target's columns that finds no rows: it tells their types. */
  public final String noRows(Target target) {
    return "SELECT "
        + list(target.columns())
        + " FROM "
        + table(target.schema(), target.table())
        + " WHERE 1=0";
  }

  /**
   * How to bring many rows in.
   *
   * @param rows about how many
   */
  public Loader loader(Target target, BulkPath path, int batchSize, long rows) {
    if (path != BulkPath.AUTO && path != BulkPath.BATCH) {
      throw new IllegalArgumentException(
          "bulkPath is " + path + ", which " + name() + " does not have: use AUTO");
    }
    return target.operation() == Operation.UPSERT && !upsertsInOneStatement()
        ? new RowByRowLoader(this)
        : new BatchLoader(this, batchSize);
  }

  /** Sets a parameter to a value as {@code RowReader.readValue} reads it. */
  public void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, Types.NULL);
    } else {
      statement.setObject(index, value);
    }
  }

  /**
   * Whether the statement failed for what it was given, so that repeating it cannot help: values,
   * constraints, triggers and routines that object, rights, and limits of a row or an index.
   */
  public boolean isPermanent(SQLException error) {
    String state = error.getSQLState();
    return state != null
        && (PERMANENT.contains(state.substring(0, Math.min(2, state.length())))
            || isOfTransaction(error));
  }

  /** Whether a statement is one that runs in no transaction, or wants to end the one it is in. */
  public static boolean isOfTransaction(SQLException error) {
    String state = String.valueOf(error.getSQLState());
    return state.equals(NOT_IN_A_TRANSACTION) || state.startsWith("2D");
  }

  /** Whether a statement names a table that is not there, as far as databases tell it apart. */
  public static boolean isOfMissingTable(SQLException error) {
    return MISSING_TABLE.contains(String.valueOf(error.getSQLState()));
  }

  /** Whether somebody may not do something, to a table for instance that is there. */
  public static boolean isOfRights(SQLException error) {
    return RIGHTS.contains(String.valueOf(error.getSQLState()))
        || MARIADB_RIGHTS.contains(error.getErrorCode());
  }

  /** Whether a constraint refused something, be it a key that is taken. */
  public static boolean isOfConstraint(SQLException error) {
    return String.valueOf(error.getSQLState()).startsWith("23");
  }

  /**
   * Statements that need the rights and the table that the operation needs, and do nothing.
   *
   * @param deletes whether some rows may be deleted
   */
  public List<String> harmless(Target target, boolean deletes) {
    String table = table(target.schema(), target.table());
    String columns = list(target.columns());
    String delete = "DELETE FROM " + table + " WHERE 1=0";
    String insert =
        "INSERT INTO "
            + table
            + " ("
            + columns
            + ") SELECT "
            + columns
            + " FROM "
            + table
            + " WHERE 1=0";
    return switch (target.operation()) {
      case SQL -> List.of();
      case INSERT -> List.of(insert);
      case DELETE -> List.of(delete);
      case UPSERT -> {
        String upsert = insert + upsertClause(target);
        yield deletes ? List.of(upsert, delete) : List.of(upsert);
      }
    };
  }

  /** Runs one of {@link #harmless}. Columns that need a value are looked at elsewhere. */
  public void runHarmless(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException error) {
      if (!isForColumnInNeed(error)) {
        throw error;
      }
    }
  }

  /** What follows an INSERT to make it an upsert; empty where that is another statement. */
  public String upsertClause(Target target) {
    return "";
  }

  /** Has constraints that wait for the commit checked now, and then with each row. */
  public void checkConstraintsAtOnce(Connection connection) throws SQLException {}

  /** Has constraints that can wait do so, until they are checked at once or the commit comes. */
  public void letConstraintsWait(Connection connection) throws SQLException {}

  /**
   * Columns of the target of which each new row must be given a value. Those that get one by their
   * definition are none; nor is any where this cannot be told, as where a trigger may give it.
   */
  public List<String> columnsInNeed(Connection connection, Target target) throws SQLException {
    return List.of();
  }

  /**
   * Whether a statement was refused for such a column although it writes no row, so that a trigger
   * has not been asked.
   */
  public boolean isForColumnInNeed(SQLException error) {
    return false;
  }

  /** How large a row may be for this server. */
  public RowLimit rowLimit(Connection connection, Target target) throws SQLException {
    return RowLimit.own();
  }

  /** First column of what a query finds. */
  protected static List<String> find(Connection connection, String sql, String... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      List<String> found = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          found.add(result.getString(1));
        }
      }
      return found;
    }
  }

  /** Refuses a table that has no transactions, or that a crash of the server empties. */
  public void checkKeepsRows(Connection connection, String schema, String table, Problems problems)
      throws SQLException {}

  /**
   * Checks only this database can make.
   *
   * @param parallelism of the sink
   */
  public void check(Connection connection, Target target, int parallelism, Problems problems)
      throws SQLException {}
}
