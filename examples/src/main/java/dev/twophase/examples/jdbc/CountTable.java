package dev.twophase.examples.jdbc;

import dev.twophase.TransactionalConnector;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.policy.SinkOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A table of counts in PostgreSQL, written by upsert: window, directory, lines, characters. An
 * upsert hides that it was done twice, so a trigger counts how often each row was written.
 *
 * @param url of the database
 * @param user who owns the table, and needs no password
 */
public record CountTable(String url, String user) {

  static final String NAME = "counts";

  private static final String[] DDL = {
    "CREATE TABLE counts (line_window BIGINT, directory TEXT, lines BIGINT, characters BIGINT,"
        + " times INT NOT NULL DEFAULT 1, PRIMARY KEY (line_window, directory))",
    "CREATE FUNCTION count_writes() RETURNS trigger LANGUAGE plpgsql AS"
        + " 'BEGIN NEW.times := OLD.times + 1; RETURN NEW; END'",
    "CREATE TRIGGER written_again BEFORE UPDATE ON counts"
        + " FOR EACH ROW EXECUTE FUNCTION count_writes()"
  };

  /** Creates it. */
  public void create() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String ddl : DDL) {
        statement.execute(ddl);
      }
    }
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url, user, "");
  }

  /** Writes counts as {@code CountJob} makes them. */
  public TransactionalConnector<String, ?, ?> sink(String name, SinkOptions options) {
    String owner = user;
    return TransactionalJdbcSink.<String>builder()
        .name(name)
        .url(url)
        .credentials(() -> new Credentials(owner, ""))
        .upsertInto(NAME)
        .key("line_window", count -> Long.parseLong(field(count, 0)))
        .key("directory", count -> field(count, 1))
        .column("lines", count -> Long.parseLong(field(count, 2)))
        .column("characters", count -> Long.parseLong(field(count, 3)))
        .options(options)
        .createTables()
        .buildConnector();
  }

  private static String field(String count, int index) {
    return count.split("\t", -1)[index];
  }
}
