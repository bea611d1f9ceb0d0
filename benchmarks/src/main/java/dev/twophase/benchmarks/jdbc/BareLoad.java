package dev.twophase.benchmarks.jdbc;

import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** What the database takes from one connection: text, formatted on the way, committed at times. */
public final class BareLoad implements Contender {

  private static final long ROWS = 1_500_000;
  private static final int ROWS_PER_COMMIT = 250_000;
  private static final int ROWS_PER_PACKET = 1_000;

  private boolean mariaDb;
  private long rows;
  private @Nullable Database database;

  @Override
  public void open(String variant, Path directory, double scale) throws Exception {
    mariaDb = variant.equals("LOAD_DATA");
    database = mariaDb ? Database.mariaDb() : Database.postgres();
    rows = RunSettings.scaled(ROWS, scale);
  }

  @Override
  public Measurement round() throws Exception {
    if (database == null) {
      throw new IllegalStateException("Not opened");
    }
    database.createTable();
    String url = database.url() + (mariaDb ? "?allowLocalInfile=true" : "");
    long start = System.nanoTime();
    try (Connection connection = DriverManager.getConnection(url, database.user(), "none")) {
      connection.setAutoCommit(false);
      for (long from = 0; from < rows; from += ROWS_PER_COMMIT) {
        long to = Math.min(rows, from + ROWS_PER_COMMIT);
        if (mariaDb) {
          loadData(connection, from, to);
        } else {
          copy(connection, from, to);
        }
        connection.commit();
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    database.require(rows);
    database.leaveNothingToDo();
    return new Measurement(Map.of(JdbcJob.RATE, rows / seconds));
  }

  private static void copy(Connection connection, long from, long to) throws SQLException {
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY " + Database.TABLE + " (id, content, fraction) FROM STDIN");
    for (long id = from; id < to; id += ROWS_PER_PACKET) {
      byte[] packet = lines(id, Math.min(to, id + ROWS_PER_PACKET));
      copy.writeToCopy(packet, 0, packet.length);
    }
    copy.endCopy();
  }

  private static void loadData(Connection connection, long from, long to) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement
          .unwrap(org.mariadb.jdbc.Statement.class)
          .setLocalInfileInputStream(new ByteArrayInputStream(lines(from, to)));
      statement.execute(
          "LOAD DATA LOCAL INFILE 'rows' INTO TABLE "
              + Database.TABLE
              + " CHARACTER SET utf8mb4 (id, content, fraction)");
    }
  }

  private static byte[] lines(long from, long to) {
    StringBuilder text = new StringBuilder();
    for (long id = from; id < to; id++) {
      Entry entry = Entry.of(id);
      text.append(entry.id()).append('\t').append(entry.text()).append('\t');
      text.append(entry.fraction()).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws Exception {
    if (database != null) {
      database.close();
    }
  }
}
