package dev.twophase.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.jdbc.CommitMode;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.OrdersOnPostgres;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that wait in the target, in transactions that PostgreSQL has prepared. */
@Timeout(120)
class XaTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().build());

  private final PostgresServer server = DATABASE.server();
  private final TransactionalJdbcSink<Order> sink =
      OrdersOnPostgres.sink(server.port()).mode(CommitMode.XA);

  @BeforeEach
  void createTarget() throws Exception {
    for (String gid : Sql.column(server, "SELECT gid FROM pg_prepared_xacts")) {
      Sql.execute(server, "ROLLBACK PREPARED '" + gid + "'");
    }
    OrdersOnPostgres.create(server);
  }

  private long prepared() throws Exception {
    return Sql.number(server, "SELECT count(*) FROM pg_prepared_xacts");
  }

  @Test
  void W2_whatIsPreparedSurvivesTheServersDeathAndIsCommittedByAnotherProcess() throws Exception {
    Prepared prepared;
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0)) {
      prepared = writer.prepare(0, OrdersOnPostgres.orders(0, 5_000));
    }
    assertThat(prepared.bytes()).hasSizeLessThan(500);
    assertThat(prepared()).isEqualTo(1);
    server.kill();
    server.start();
    assertThat(OrdersOnPostgres.count(server)).isZero();

    try (DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(5_000);
  }

  @Test
  void W5_anEmptyEpochCostsNothing() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0)) {
      assertThat(writer.preCommit(0, writer.begin(0))).isEmpty();
    }
    assertThat(prepared()).isZero();
  }

  @Test
  void C6_aTransactionThatSomebodyRolledBackIsAProvenLoss() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared prepared = writer.prepare(0, Order.of(1));
      Sql.execute(server, "ROLLBACK PREPARED '" + prepared.id() + "'");

      assertThat(committer.commit(prepared)).isInstanceOf(CommitOutcome.Lost.class);
    }
  }

  /** Flink has a chained committer commit what was restored before the writer creates tables. */
  @ParameterizedTest
  @CsvSource({
    "SELECT 'another is named', which does not exist",
    "CREATE TABLE another (LIKE twophase_ledger), which has no rows of this sink",
    "DROP TABLE twophase_ledger, which does not exist",
    "DELETE FROM twophase_ledger, which has no rows of this sink",
  })
  void C6_withoutTheLedgerOfThatTimeItIsNeitherLostNorCommitted(String loss, String reason)
      throws Exception {
    Prepared prepared;
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      prepared = writer.prepare(0, Order.of(1));
      committer.commit(prepared);
    }
    Sql.execute(server, "DROP TABLE IF EXISTS another", loss);
    try (DrivenConnector<Order, Object, ?> committer =
        Sinks.committer(loss.contains("another") ? sink.ledgerTable("another") : sink)) {
      assertThatThrownBy(() -> committer.commit(prepared))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("prepared with another ledger")
          .hasMessageContaining(reason)
          .hasMessageContaining("bring the sink's rows back");
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(1);
  }

  /** That the database still has it, and commits it, is evidence of its own. */
  @Test
  void C6_whatIsStillPreparedIsCommittedWhateverLedgerIsNamed() throws Exception {
    Prepared prepared;
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0)) {
      prepared = writer.prepare(0, Order.of(1));
    }
    Sql.execute(server, "DROP TABLE IF EXISTS another");
    TransactionalJdbcSink<Order> elsewhere = sink.ledgerTable("another");
    try (DrivenConnector<Order, Object, ?> committer = Sinks.committer(elsewhere)) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThatThrownBy(() -> committer.commit(prepared))
          .isInstanceOf(CommitRefusedException.class);
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(1);
  }

  /** The usual upsert sink on prepared transactions waits for itself here, until a time-out. */
  @Test
  void theNextEpochDoesNotWaitForItsPreparedPredecessor() throws Exception {
    TransactionalJdbcSink<Order> upsert =
        TransactionalJdbcSink.<Order>builder()
            .name("orders")
            .url(server.url())
            .credentials(() -> new Credentials("postgres", "none"))
            .upsertInto("orders")
            .key("id", Order::id)
            .column("item", Order::item)
            .mode(CommitMode.XA)
            .createTables();
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(upsert, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(upsert)) {
      Prepared first = writer.prepare(0, new Order(1, "first", 0));
      Prepared second = writer.prepare(1, new Order(1, "second", 0));
      assertThat(prepared()).isEqualTo(1);

      assertThat(committer.commit(first)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(second)).isEqualTo(CommitOutcome.committed());
      Prepared third = writer.prepare(2, new Order(1, "third", 0));
      assertThat(prepared()).isEqualTo(1);
      assertThat(committer.commit(third)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(Sql.column(server, "SELECT item FROM orders")).containsExactly("third");
  }

  /** From 500 rows on the bulk path would be a temporary table, which PREPARE forbids. */
  @Test
  void W2_manyUpsertsAndDeletesOfOneCheckpointArePrepared() throws Exception {
    Sql.execute(server, "INSERT INTO orders SELECT id, 'old', 0 FROM generate_series(0, 99) AS id");
    TransactionalJdbcSink<Order> upsert =
        OrdersOnPostgres.sink(server.port())
            .upsertInto("orders")
            .deleteWhen(order -> order.id() < 50)
            .mode(CommitMode.XA);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(upsert, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(upsert)) {
      Prepared prepared = writer.prepare(0, OrdersOnPostgres.orders(0, 700));
      assertThat(prepared()).isEqualTo(1);

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(
            Sql.column(server, "SELECT min(id) || ' ' || count(*) FROM orders WHERE item<>'old'"))
        .containsExactly("50 650");
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(650);
  }

  @Test
  void aRowThatTheTargetRefusesIsNamedBeforeItIsPrepared() throws Exception {
    Sql.execute(server, "INSERT INTO orders VALUES (2, 'there', 0)");
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0)) {
      assertThatThrownBy(() -> writer.prepare(0, OrdersOnPostgres.orders(1, 4)))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("row 2 of 3")
          .hasMessageContaining("id=2");
    }
    assertThat(prepared()).isZero();
  }

  @Test
  void aRowThatTheTargetRefusesGoesToTheTableOfDeadLettersWithTheCommit() throws Exception {
    Sql.execute(server, "INSERT INTO orders VALUES (2, 'there', 0)");
    TransactionalJdbcSink<Order> rejecting =
        OrdersOnPostgres.sink(server.port()).deadLetterTable("rejected").mode(CommitMode.XA);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(rejecting, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(rejecting)) {
      Prepared prepared = writer.prepare(0, OrdersOnPostgres.orders(1, 4));
      assertThat(Sql.number(server, "SELECT count(*) FROM rejected")).isZero();

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(Sql.column(server, "SELECT position FROM rejected")).containsExactly("2");
    assertThat(Sql.column(server, "SELECT id FROM orders ORDER BY id"))
        .containsExactly("1", "2", "3");
  }

  @Test
  void R2_whatLingersIsRolledBackByExactIdBeforeItsLocksAreInTheWay() throws Exception {
    Prepared lingering;
    try (DrivenConnector<Order, Object, ?> crashed = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> other =
            Sinks.writer(
                OrdersOnPostgres.sink(server.port()).name("orders-eu").mode(CommitMode.XA),
                "orders-eu",
                0)) {
      lingering = crashed.prepare(0, Order.of(1));
      other.prepare(0, Order.of(2));
      assertThat(crashed.connector().unfinished()).containsExactly(Unfinished.of(lingering.id()));
    }
    try (DrivenConnector<Order, Object, ?> successor = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared again = successor.prepare(0, Order.of(1));

      assertThat(committer.commit(again)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(1);
    assertThat(prepared()).isEqualTo(1);
  }

  @Test
  void E3_aServerWithoutPreparedTransactionsIsRefused() throws Exception {
    try (PostgresServer without =
        PostgresServer.builder().setting("max_prepared_transactions", "0").build()) {
      without.start();
      OrdersOnPostgres.create(without);
      assertThatThrownBy(
              () -> Sinks.writer(OrdersOnPostgres.sink(without.port()).mode(CommitMode.XA), 0))
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("max_prepared_transactions")
          .hasMessageContaining("at least 2");
    }
  }

  /** PostgreSQL lets the user who prepared it, or a superuser, finish a transaction. */
  @Test
  void E3_aUserWhoMayNotFinishWhatTheSinkHasPreparedIsRefused() throws Exception {
    if (Sql.number(server, "SELECT count(*) FROM pg_roles WHERE rolname='guest'") == 0) {
      Sql.execute(server, "CREATE ROLE guest LOGIN");
    }
    TransactionId prepared;
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0)) {
      prepared = writer.prepare(0, Order.of(1)).id();
    }
    Sql.execute(server, "GRANT ALL ON ALL TABLES IN SCHEMA public TO guest");
    TransactionalJdbcSink<Order> asGuest =
        OrdersOnPostgres.sink(server.port())
            .credentials(() -> new Credentials("guest", "none"))
            .mode(CommitMode.XA);

    assertThatThrownBy(() -> Sinks.writer(asGuest, 0))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("the database user")
        .hasMessageContaining(prepared.toString())
        .hasMessageContaining("Connect as that user");
    Sql.execute(server, "ROLLBACK PREPARED '" + prepared + "'");
    Sinks.writer(asGuest, 0).close();
  }

  @Test
  void E3_otherDatabasesAreRefusedWithTheReason() throws Exception {
    try (MariaDbServer mariaDb = MariaDbServer.create()) {
      mariaDb.start();
      TransactionalJdbcSink<Order> onMariaDb =
          TransactionalJdbcSink.<Order>builder()
              .name("orders")
              .url(mariaDb.url())
              .credentials(() -> new Credentials("root", "none"))
              .insertInto("orders")
              .key("id", Order::id)
              .mode(CommitMode.XA);
      assertThatThrownBy(() -> Sinks.writer(onMariaDb, 0))
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("XA on MariaDB")
          .hasMessageContaining("LEDGER");
    }
  }
}
