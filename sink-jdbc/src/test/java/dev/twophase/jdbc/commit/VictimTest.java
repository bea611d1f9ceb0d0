package dev.twophase.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.OrdersOnPostgres;
import dev.twophase.jdbc.PinnedConnections;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.jdbc.job.OrdersJob;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commits that a database gives up in favour of somebody else's transaction. */
@Timeout(180)
class VictimTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> POSTGRES =
      DatabaseExtension.of(
          () ->
              PostgresServer.builder()
                  .setting("fsync", "off")
                  .setting("deadlock_timeout", "50ms")
                  .build());

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> MARIADB =
      DatabaseExtension.of(() -> MariaDbServer.create("--debug-no-sync"));

  @BeforeEach
  void createTables() throws Exception {
    OrdersOnPostgres.create(POSTGRES.server());
    Sql.execute(
        MARIADB.server(),
        "CREATE OR REPLACE TABLE orders (id BIGINT PRIMARY KEY, item TEXT, amount DOUBLE)");
  }

  /** One statement a row. */
  private static TransactionalJdbcSink<Order> sink(DatabaseServer server) {
    String user = server.user();
    return TransactionalJdbcSink.<Order>builder()
        .name("orders")
        .url(server.url())
        .credentials(() -> new Credentials(user, "none"))
        .bulkPath(BulkPath.BATCH)
        .batchSize(1)
        // Longer than anything here is waited for: only a deadlock ends a wait.
        .lockTimeout(PATIENCE.multipliedBy(2))
        .replyTimeout(PATIENCE.multipliedBy(3))
        .options(SinkOptions.defaults().withCommitTimeout(PATIENCE.multipliedBy(3)))
        .createTables();
  }

  @Test
  void C7_aVictimOfADeadlockOnPostgresIsRepeated() throws Exception {
    assertAVictimIsRepeated(POSTGRES.server(), "40P01");
  }

  @Test
  void C7_aVictimOfADeadlockOnMariaDbIsRepeated() throws Exception {
    assertAVictimIsRepeated(MARIADB.server(), "40001");
  }

  private static TransactionalJdbcSink<Order> orders(DatabaseServer server) {
    return sink(server)
        .upsertInto("orders")
        .key("id", Order::id)
        .column("item", Order::item)
        .column("amount", Order::amount);
  }

  private static void assertAVictimIsRepeated(DatabaseServer server, String state)
      throws Exception {
    Sql.execute(server, "INSERT INTO orders VALUES (1, 'old', 0), (2, 'old', 0), (3, 'old', 0)");
    TransactionalJdbcSink<Order> sink = orders(server);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink);
        Crossing crossing = new Crossing(server)) {
      Prepared prepared = writer.prepare(0, OrdersOnPostgres.orders(1, 4));
      CompletableFuture<Throwable> victim = failure(committer, prepared);

      crossing.strike();

      assertThat(victim.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              SQLException.class, error -> assertThat(error.getSQLState()).isEqualTo(state));
      assertThat(Sql.column(server, "SELECT DISTINCT item FROM orders")).containsExactly("old");
      crossing.end();
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(Sql.column(server, "SELECT item FROM orders ORDER BY id"))
        .containsExactly("item 1", "item 2", "item 3");
  }

  private static CompletableFuture<Throwable> failure(
      DrivenConnector<Order, Object, ?> committer, Prepared prepared) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            throw new AssertionError("a deadlock ended with " + committer.commit(prepared));
          } catch (Exception expected) {
            return expected;
          }
        });
  }

  /** Nothing restarts this job. Its one record changes all rows, so that no barrier parts them. */
  @Test
  void C8_aJobWhoseCommitIsTheVictimOfADeadlockGoesOn() throws Exception {
    PostgresServer server = POSTGRES.server();
    Sql.execute(server, "INSERT INTO orders VALUES (1, 'old', 0), (2, 'old', 0), (3, 'old', 0)");
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    try (Crossing crossing = new Crossing(server)) {
      TransactionalJdbcSink<Order> changesAll =
          sink(server)
              .sql(
                  "UPDATE orders SET item = 'new' WHERE amount < ?",
                  (order, parameters) -> parameters.set(1, order.amount()));
      JobClient job = OrdersJob.start(configuration, 1, null, 1, Order::of, changesAll);

      crossing.strike();
      crossing.end();

      job.getJobExecutionResult().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    assertThat(Sql.column(server, "SELECT item FROM orders")).containsExactly("new", "new", "new");
  }

  /** It holds the ledger's key; on PostgreSQL {@link PostgresCrashTest} does the same. */
  @Test
  void R5_aFrozenCommitterDoesNotWedgeItsSuccessorOnMariaDb() throws Exception {
    MariaDbServer server = MARIADB.server();
    String url = server.url();
    TransactionalJdbcSink<Order> sink = orders(server).lockTimeout(Duration.ofSeconds(1));
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> successor = Sinks.committer(sink);
        DrivenConnector<Order, Object, ?> frozen =
            Sinks.committer(sink.dataSource(() -> FrozenCommits.at(url, "root")))) {
      Prepared prepared = writer.prepare(0, Order.of(1));
      CompletableFuture<Throwable> zombie = failure(frozen, prepared);
      FrozenCommits.awaitFrozen();

      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(SQLException.class)
          .until(() -> successor.commit(prepared).equals(CommitOutcome.committed()));

      FrozenCommits.thaw();
      assertThat(zombie.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(SQLException.class);
    }
    assertThat(Sql.column(server, "SELECT item FROM orders")).containsExactly("item 1");
  }

  /** Reads what somebody changes who has read what this writes. */
  @Test
  void C7_aCommitThatCannotBeSerializedIsRepeated() throws Exception {
    PostgresServer server = POSTGRES.server();
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS prices",
        "CREATE TABLE prices (price BIGINT)",
        "INSERT INTO prices VALUES (1)");
    String url = server.url();
    TransactionalJdbcSink<Order> sink =
        sink(server)
            .dataSource(() -> PinnedConnections.serializable(url, "postgres"))
            .sql(
                "INSERT INTO orders SELECT ?, 'all', sum(price) FROM prices",
                (order, parameters) -> parameters.set(1, order.id()));
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink);
        Connection gate = server.connect();
        Statement gateStatement = gate.createStatement();
        Connection other = server.connect();
        Statement statement = other.createStatement()) {
      Prepared prepared = writer.prepare(0, Order.of(1), Order.of(2));
      gate.setAutoCommit(false);
      gateStatement.execute("INSERT INTO orders VALUES (1, 'gate', 0)");
      CompletableFuture<Throwable> victim = failure(committer, prepared);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> Sql.number(server, "SELECT count(*) FROM pg_locks WHERE NOT granted") == 1);

      other.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      other.setAutoCommit(false);
      statement.execute("SELECT sum(amount) FROM orders");
      statement.execute("UPDATE prices SET price = 100");
      other.commit();
      gate.rollback();

      assertThat(victim.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              SQLException.class, error -> assertThat(error.getSQLState()).isEqualTo("40001"));
      assertThat(OrdersOnPostgres.count(server)).isZero();
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(Sql.column(server, "SELECT id || ' ' || amount FROM orders ORDER BY id"))
        .containsExactly("1 100", "2 100");
  }
}
