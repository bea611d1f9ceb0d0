package dev.twophase.benchmarks.jdbc;

import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** A durable server with an empty table. */
final class Database implements AutoCloseable {

  static final String TABLE = "entries";

  private static final String WAL_KEPT = "2GB";
  private static final int WAL_FILES = 125;

  private final DatabaseServer server;

  /** Ends what a round has left for later. */
  private final String rest;

  private Database(DatabaseServer server, String rest) {
    this.server = server;
    this.rest = rest;
  }

  /**
   * With the files of its log in place, as after some hours: one that makes them anew writes them
   * twice, and the sink that fills more of them pays for it. Memory as for MariaDB.
   */
  static Database postgres() throws Exception {
    Database database =
        start(
            PostgresServer.builder()
                .setting("max_prepared_transactions", "2000")
                .setting("shared_buffers", "512MB")
                .setting("max_wal_size", "4GB")
                .setting("min_wal_size", WAL_KEPT)
                .build(),
            "CHECKPOINT");
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (int file = 0; file < WAL_FILES; file++) {
        statement.execute("SELECT pg_logical_emit_message(false, '', ''), pg_switch_wal()");
      }
      statement.execute("CHECKPOINT");
    }
    return database;
  }

  static Database mariaDb() throws Exception {
    return start(MariaDbServer.create("--innodb-buffer-pool-size=512M"), "DO 0");
  }

  private static Database start(DatabaseServer server, String rest) throws Exception {
    server.start();
    return new Database(server, rest);
  }

  String url() {
    return server.url();
  }

  String user() {
    return server.user();
  }

  Connection connect() throws SQLException {
    return server.connect();
  }

  /** Before each round, and with nothing left from the one before: its log is free again. */
  void createTable() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      dropTables(statement);
      statement.execute(
          "CREATE TABLE "
              + TABLE
              + " (id BIGINT PRIMARY KEY, content VARCHAR(50), fraction DOUBLE PRECISION)");
      statement.execute(rest);
    }
  }

  private static void dropTables(Statement statement) throws SQLException {
    statement.execute("DROP TABLE IF EXISTS " + TABLE);
    statement.execute("DROP TABLE IF EXISTS twophase_ledger");
    statement.execute("DROP TABLE IF EXISTS twophase_ledger_staging");
  }

  /**
   * After each round: a server that has been left with rows would vacuum them a minute later, while
   * another one is measured.
   */
  void leaveNothingToDo() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      dropTables(statement);
      statement.execute(rest);
    }
  }

  /** Checks that exactly the numbers from 0 on are there. */
  void require(long rows) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("SELECT COUNT(*), MIN(id), MAX(id) FROM " + TABLE)) {
      result.next();
      if (result.getLong(1) != rows || result.getLong(2) != 0 || result.getLong(3) != rows - 1) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                "%d rows from %d to %d instead of %d",
                result.getLong(1),
                result.getLong(2),
                result.getLong(3),
                rows));
      }
    }
  }

  @Override
  public void close() throws Exception {
    server.close();
  }
}
