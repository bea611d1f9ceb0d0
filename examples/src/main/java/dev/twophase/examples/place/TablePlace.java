package dev.twophase.examples.place;

import dev.twophase.examples.jdbc.CountTable;
import dev.twophase.examples.jdbc.TableCopy;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** Where the demo's table is: a durable PostgreSQL of its own. */
public final class TablePlace implements AutoCloseable {

  private final PostgresServer server;
  private final CountTable table;

  private TablePlace(PostgresServer server) {
    this.server = server;
    this.table = new CountTable(server.url(), server.user());
  }

  /** Starts a server that ends with this JVM at the latest. */
  public static TablePlace ofItsOwn() throws IOException, InterruptedException, SQLException {
    PostgresServer server = PostgresServer.builder().build();
    try {
      server.start();
      TablePlace place = new TablePlace(server);
      place.table.create();
      return place;
    } catch (IOException | SQLException error) {
      server.close();
      throw error;
    }
  }

  public CountTable table() {
    return table;
  }

  /** Has another JVM read what is committed in the table. */
  public static void copy(CountTable table, Path directory, Path errors)
      throws IOException, InterruptedException {
    Process copy =
        Jvm.start(
            TableCopy.class,
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            List.of(table.url(), table.user(), directory.toString()),
            errors);
    int exitCode = copy.waitFor();
    if (exitCode != 0) {
      throw new IOException(
          "Reading the table ended with exit code " + exitCode + ": " + Files.readString(errors));
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    server.close();
  }
}
