package dev.twophase.jdbc.internal;

import dev.twophase.PreflightContext;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.jdbc.internal.connect.Session;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.ledger.SystemTables;
import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Refuses at the job's start what would fail, or lose something, later (E3). */
final class Preflight {

  private final JdbcSettings<?> settings;
  private final Target target;
  private final boolean deletes;
  private final SystemTables tables;
  private final PreflightContext context;
  private final TypeCheck types;

  Preflight(JdbcSettings<?> settings, PreflightContext context) {
    this.settings = settings;
    this.target = settings.target();
    this.deletes = settings.rowWriter().deletes();
    this.tables = settings.tables();
    this.context = context;
    this.types = new TypeCheck(settings.target(), settings.types());
  }

  /** Checks everything at once, and only if that fails, what it was. */
  void check(Session session) throws Exception {
    Dialect dialect = Reach.connect(session, settings.source(), context);
    checkBulkPath(dialect);
    try {
      session.doInTransaction(this::checkAtOnce);
    } catch (SQLException error) {
      if (!dialect.isPermanent(error)) {
        throw new SQLTransientException(
            "Sink '"
                + context.sinkName()
                + "' could not look at its tables and at "
                + target.describe()
                + ", which takes a moment unless somebody locks them for longer than lockTimeout, "
                + settings.lockTimeout()
                + ": "
                + error.getMessage(),
            error.getSQLState(),
            error.getErrorCode(),
            error);
      }
      findFault(session, dialect);
      session.doInTransaction(this::checkAtOnce);
    }
  }

  private void refuse(String setting, Object value, String remedy) {
    throw context.refuse(setting, value, remedy);
  }

  private void checkAtOnce(Connection connection, Dialect dialect) throws SQLException {
    checkTransactions(connection);
    for (String name : tables.names()) {
      for (String sql : tables.harmless(name, dialect)) {
        execute(connection, sql);
      }
    }
    if (target.operation() == Operation.SQL) {
      settings.rowWriter().expect(parameters(connection));
    } else {
      checkAllFed(connection, dialect);
      for (String sql : dialect.harmless(target, deletes)) {
        dialect.runHarmless(connection, sql);
      }
    }
    for (String name : tables.names()) {
      dialect.checkKeepsRows(connection, tables.schema(), name, this::refuse);
    }
    if (target.operation() != Operation.SQL) {
      dialect.checkKeepsRows(connection, target.schema(), target.table(), this::refuse);
      types.check(connection, dialect, this::refuse);
    }
    dialect.check(connection, target, context.parallelism(), this::refuse);
  }

  /** Else the first row would be refused. An upsert that updates first may never insert. */
  private void checkAllFed(Connection connection, Dialect dialect) throws SQLException {
    boolean inserts =
        target.operation() == Operation.INSERT || !dialect.upsertClause(target).isEmpty();
    if (!inserts || target.operation() == Operation.DELETE) {
      return;
    }
    for (String column : dialect.columnsInNeed(connection, target)) {
      if (!target.columns().contains(column)) {
        refuse(
            "column " + column,
            "NOT NULL in table " + target.describe() + ", and nothing gives it a value",
            "Add it by column(...), give it a default, or let it be NULL; a trigger that gives it a"
                + " value must be one that this user can see");
      }
    }
  }

  /** Each check has a transaction of its own, since a failed one ends it. */
  private void findFault(Session session, Dialect dialect) throws Exception {
    for (String name : tables.names()) {
      checkSystemTable(session, dialect, name);
    }
    if (target.operation() == Operation.SQL) {
      checkStatement(session);
    } else {
      checkColumns(session, dialect);
      session.doInTransaction(this::checkAllFed);
      checkRights(session, dialect);
    }
  }

  private void checkTransactions(Connection connection) throws SQLException {
    if (connection.getAutoCommit() || !connection.getMetaData().supportsTransactions()) {
      throw context.refuse(
          "autocommit", true, "Use a data source whose connections have local transactions");
    }
  }

  private void checkSystemTable(Session session, Dialect dialect, String name) throws Exception {
    if (exists(session, dialect, tables.schema(), name)) {
      checkUsable(session, dialect, name);
      return;
    }
    String ddl = tables.ddl(name, dialect);
    if (!tables.create()) {
      throw context.refuse("table " + name, "missing", "Create it, or call createTables(): " + ddl);
    }
    try {
      session.inTransaction((connection, ignored) -> execute(connection, ddl));
    } catch (SQLException error) {
      // Another subtask may have been faster.
      if (!exists(session, dialect, tables.schema(), name)) {
        throw context.refuse(
            "table " + name, "missing and cannot be created", message(error) + ": " + ddl);
      }
    }
  }

  private void checkUsable(Session session, Dialect dialect, String name) throws Exception {
    checkEach(
        session,
        dialect,
        tables.harmless(name, dialect),
        (sql, why) ->
            context.refuse(
                "table " + name,
                "not usable as one of the sink's own",
                "Grant SELECT, INSERT, UPDATE and DELETE on it, or name another: " + why));
  }

  private void checkEach(
      Session session,
      Dialect dialect,
      List<String> harmless,
      BiFunction<String, String, SetupRefusedException> refusal)
      throws Exception {
    for (String sql : harmless) {
      try {
        session.doInTransaction((connection, known) -> known.runHarmless(connection, sql));
      } catch (SQLException error) {
        if (!dialect.isPermanent(error)) {
          throw error;
        }
        throw refusal.apply(sql, message(error));
      }
    }
  }

  private void checkBulkPath(Dialect dialect) {
    try {
      dialect.loader(target, settings.bulkPath(), settings.batchSize(), Long.MAX_VALUE);
    } catch (IllegalArgumentException notThere) {
      throw context.refuse(
          "bulkPath", settings.bulkPath(), dialect.name() + " does not have it: use AUTO");
    }
  }

  private static boolean exists(Session session, Dialect dialect, String schema, String name)
      throws Exception {
    String sql = "SELECT 1 FROM " + dialect.table(schema, name) + " WHERE 1=0";
    try {
      session.inTransaction((connection, ignored) -> execute(connection, sql));
      return true;
    } catch (SQLException error) {
      if (Dialect.isOfRights(error)) {
        return true;
      }
      if (dialect.isPermanent(error)) {
        return false;
      }
      throw error;
    }
  }

  private void checkStatement(Session session) throws Exception {
    try {
      session.inTransaction((connection, ignored) -> parameters(connection));
    } catch (SQLException error) {
      throw context.refuse("sql", target.sql(), "Mend it: " + message(error));
    }
  }

  private int parameters(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(target.sql())) {
      return statement.getParameterMetaData().getParameterCount();
    }
  }

  private void checkColumns(Session session, Dialect dialect) throws Exception {
    if (!exists(session, dialect, target.schema(), target.table())) {
      throw context.refuse(
          "table " + target.describe(),
          "missing, or not readable",
          "Create it and grant SELECT on it; names are taken exactly as given");
    }
    String sql = "SELECT * FROM " + dialect.table(target.schema(), target.table()) + " WHERE 1=0";
    List<String> present = session.inTransaction((connection, ignored) -> columns(connection, sql));
    for (String column : target.columns()) {
      if (!present.contains(column)) {
        throw context.refuse(
            "column " + column,
            "not in table " + target.describe(),
            "Use one of " + present + ", exactly as given");
      }
    }
  }

  private static List<String> columns(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData metaData = result.getMetaData();
      List<String> names = new ArrayList<>();
      for (int i = 1; i <= metaData.getColumnCount(); i++) {
        names.add(metaData.getColumnName(i));
      }
      return names;
    }
  }

  /** Does to no row what will be done to rows. */
  private void checkRights(Session session, Dialect dialect) throws Exception {
    checkEach(
        session,
        dialect,
        dialect.harmless(target, deletes),
        (sql, why) ->
            context.refuse(
                "table " + target.describe(),
                "not writable by " + target.operation(),
                "Grant what this needs, or mend the table: " + sql + ": " + why));
  }

  private static boolean execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql);
    }
  }

  private static String message(SQLException error) {
    return String.valueOf(error.getMessage());
  }
}
