package dev.twophase.jdbc.commit;

import dev.twophase.jdbc.Sql;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Somebody who holds order 3, and wants order 1 when the sink has that and is about to want order
 * 3: a deadlock of which the sink is the victim. A gate, order 2, keeps the sink between the two
 * until the other waits.
 */
final class Crossing implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DatabaseServer server;
  private final Connection gate;
  private final Connection other;
  private final boolean mariaDb;

  /** Orders 1 to 3 must be there; 2 and 3 are held when this returns. */
  Crossing(DatabaseServer server) throws SQLException {
    this.server = server;
    this.mariaDb = server instanceof MariaDbServer;
    this.gate = server.connect();
    this.other = server.connect();
    gate.setAutoCommit(false);
    if (mariaDb) {
      // The one that has written less is the victim there.
      execute(other, "CREATE OR REPLACE TABLE weight (n INT)");
      other.setAutoCommit(false);
      execute(other, "INSERT INTO weight SELECT seq FROM seq_1_to_1000");
    } else {
      // The one that looks for deadlocks is the victim there: this one does not.
      execute(other, "SET deadlock_timeout = '1h'");
      other.setAutoCommit(false);
    }
    execute(gate, "UPDATE orders SET item='gate' WHERE id=2");
    execute(other, "UPDATE orders SET item='other' WHERE id=3");
  }

  /** Closes the circle once the sink is at the gate, and returns when the sink has lost. */
  void strike() throws Exception {
    awaitWaiting(1);
    CompletableFuture<Void> circle =
        CompletableFuture.runAsync(
            () -> {
              try {
                execute(other, "UPDATE orders SET item='other' WHERE id=1");
              } catch (SQLException victim) {
                throw new CompletionException(victim);
              }
            });
    awaitWaiting(2);
    gate.rollback();
    circle.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Lets go of everything, without a trace. */
  void end() throws SQLException {
    other.rollback();
  }

  private void awaitWaiting(int sessions) {
    String sql =
        mariaDb
            ? "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state='LOCK WAIT'"
            : "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted";
    Awaitility.await().atMost(PATIENCE).until(() -> Sql.number(server, sql) == sessions);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    try (gate) {
      other.close();
    }
  }
}
