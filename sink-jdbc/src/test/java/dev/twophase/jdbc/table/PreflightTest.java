package dev.twophase.jdbc.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.CommitMode;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.PinnedConnections;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What is refused when a job starts. */
@Timeout(120)
class PreflightTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> POSTGRES =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> MARIADB =
      DatabaseExtension.of(MariaDbServer::create);

  private final PostgresServer server = POSTGRES.server();

  @BeforeEach
  void createTarget() throws Exception {
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS orders, twophase_ledger, twophase_ledger_staging",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT, amount DOUBLE PRECISION)");
  }

  private static TransactionalJdbcSink<Order> sink(DatabaseServer server) {
    return sink(server.url(), server.user());
  }

  private static TransactionalJdbcSink<Order> sink(String url, String user) {
    return TransactionalJdbcSink.<Order>builder()
        .name("orders")
        .url(url)
        .credentials(() -> new Credentials(user, "hunter2"))
        .upsertInto("orders")
        .key("id", Order::id)
        .column("item", Order::item)
        .createTables();
  }

  private static AbstractThrowableAssert<?, ?> refusal(TransactionalJdbcSink<Order> sink) {
    return assertThatThrownBy(() -> Sinks.writer(sink, 0).close())
        .isInstanceOf(SetupRefusedException.class);
  }

  @Test
  void E3_theSinksOwnTablesAreCreatedOnRequestOnly() throws Exception {
    TransactionalJdbcSink<Order> without =
        TransactionalJdbcSink.<Order>builder()
            .name("orders")
            .url(server.url())
            .credentials(() -> new Credentials("postgres", "hunter2"))
            .insertInto("orders")
            .key("id", Order::id);

    refusal(without).hasMessageContaining("CREATE TABLE \"twophase_ledger\"");

    Sinks.writer(sink(server), 0).close();
    Sinks.writer(without, 0).close();
  }

  @Test
  void E3_aMissingTableOrColumnIsNamed() throws Exception {
    Sql.execute(server, "ALTER TABLE orders RENAME COLUMN item TO thing");
    refusal(sink(server)).hasMessageContaining("column item").hasMessageContaining("thing");
    Sql.execute(server, "DROP TABLE orders");
    refusal(sink(server)).hasMessageContaining("table orders").hasMessageContaining("missing");
  }

  @Test
  void E3_aValueOfAnotherTypeThanItsColumnIsNamed() throws Exception {
    refusal(sink(server).column("amount", Order::item))
        .hasMessageContaining("column amount")
        .hasMessageContaining("float8")
        .hasMessageContaining("String")
        .hasMessageContaining("Give it a number with a fraction");
    Sinks.writer(sink(server).column("amount", order -> order.amount()), 0).close();
    Sinks.writer(sink(server).column("amount", Order::id), 0).close();

    Sql.execute(server, "ALTER TABLE orders ALTER amount TYPE BIGINT");
    refusal(sink(server).column("amount", Order::amount)).hasMessageContaining("int8");

    MariaDbServer mariaDb = MARIADB.server();
    Sql.execute(
        mariaDb,
        "DROP TABLE IF EXISTS orders",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item DATETIME, amount LONGBLOB)");
    Sinks.writer(sink(mariaDb), 0).close();
    refusal(sink(mariaDb).column("amount", Order::amount)).hasMessageContaining("BLOB");
  }

  @Test
  void E3_aMissingPrivilegeIsNamed() throws Exception {
    Sql.execute(
        server,
        "DROP TABLE orders",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT)",
        "DROP OWNED BY guest",
        "GRANT ALL ON SCHEMA public TO guest",
        "GRANT SELECT, INSERT ON orders TO guest");

    refusal(sink(server.url(), "guest"))
        .hasMessageContaining("permission denied for table orders")
        .hasMessageContaining("Grant");

    Sql.execute(server, "GRANT UPDATE ON orders TO guest");
    Sinks.writer(sink(server.url(), "guest"), 0).close();
    refusal(sink(server.url(), "guest").deleteWhen(order -> order.amount() < 0))
        .hasMessageContaining("DELETE FROM");
  }

  @Test
  void E3_aMissingPrivilegeOnOneColumnIsNamed() throws Exception {
    Sql.execute(
        server,
        "DROP OWNED BY guest",
        "GRANT ALL ON SCHEMA public TO guest",
        "GRANT SELECT, DELETE ON orders TO guest",
        "GRANT INSERT (id, item), UPDATE (id, item) ON orders TO guest");

    Sinks.writer(sink(server.url(), "guest"), 0).close();
    refusal(sink(server.url(), "guest").column("amount", Order::amount))
        .hasMessageContaining("table orders")
        .hasMessageContaining("permission denied")
        .hasMessageContaining("Grant");
  }

  /** Whatever a pool has set, the sink works in transactions of its own. */
  @Test
  void E3_aConnectionInAutocommitIsSwitchedAndOneThatStaysThereIsRefused() throws Exception {
    Sinks.writer(onConnections(false), 0).close();

    refusal(onConnections(true))
        .hasMessageContaining("autocommit is true")
        .hasMessageContaining("local transactions");
  }

  private TransactionalJdbcSink<Order> onConnections(boolean stayInAutocommit) {
    String url = server.url();
    return TransactionalJdbcSink.<Order>builder()
        .name("orders")
        .dataSource(
            () -> {
              if (stayInAutocommit) {
                return PinnedConnections.inAutocommit(url, "postgres");
              }
              PGSimpleDataSource source = new PGSimpleDataSource();
              source.setUrl(url);
              source.setUser("postgres");
              return source;
            })
        .upsertInto("orders")
        .key("id", Order::id)
        .createTables();
  }

  @BeforeEach
  void createGuest() throws Exception {
    if (Sql.number(server, "SELECT count(*) FROM pg_roles WHERE rolname='guest'") == 0) {
      Sql.execute(server, "CREATE ROLE guest LOGIN");
    }
  }

  @Test
  void E3_aKeyThatIsNotUniqueIsRefused() throws Exception {
    Sql.execute(server, "ALTER TABLE orders DROP CONSTRAINT orders_pkey");
    refusal(sink(server)).hasMessageContaining("unique");

    MariaDbServer mariaDb = MARIADB.server();
    Sql.execute(
        mariaDb, "DROP TABLE IF EXISTS orders", "CREATE TABLE orders (id BIGINT, item TEXT)");
    refusal(sink(mariaDb)).hasMessageContaining("not unique");
  }

  @Test
  void E3_aTableThatLosesRowsIsRefused() throws Exception {
    Sql.execute(server, "ALTER TABLE orders SET UNLOGGED");
    refusal(sink(server)).hasMessageContaining("UNLOGGED");

    MariaDbServer mariaDb = MARIADB.server();
    Sql.execute(
        mariaDb,
        "DROP TABLE IF EXISTS orders",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT) ENGINE=MyISAM");
    refusal(sink(mariaDb)).hasMessageContaining("MyISAM");
  }

  @Test
  void E3_aPartitionThatLosesRowsIsRefused() throws Exception {
    Sql.execute(
        server,
        "DROP TABLE orders",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT) PARTITION BY RANGE (id)",
        "CREATE TABLE few PARTITION OF orders FOR VALUES FROM (0) TO (9) PARTITION BY RANGE (id)",
        "CREATE TABLE fewer PARTITION OF few FOR VALUES FROM (0) TO (5)",
        "CREATE UNLOGGED TABLE \"Lost\" PARTITION OF few FOR VALUES FROM (5) TO (9)");
    refusal(sink(server)).hasMessageContaining("table \"Lost\" is UNLOGGED");

    Sql.execute(server, "ALTER TABLE \"Lost\" SET LOGGED");
    Sinks.writer(sink(server), 0).close();
  }

  @Test
  void E3_aViewOfATableThatLosesRowsIsRefused() throws Exception {
    Sql.execute(
        server,
        "DROP VIEW IF EXISTS shown_again, shown",
        "DROP TABLE IF EXISTS hidden",
        "CREATE UNLOGGED TABLE hidden (id BIGINT PRIMARY KEY, item TEXT)",
        "CREATE VIEW shown AS SELECT * FROM hidden",
        "CREATE VIEW shown_again AS SELECT * FROM shown");
    TransactionalJdbcSink<Order> throughView = sink(server).insertInto("shown_again");
    refusal(throughView).hasMessageContaining("table hidden is UNLOGGED");

    Sql.execute(server, "ALTER TABLE hidden SET LOGGED");
    Sinks.writer(throughView, 0).close();
  }

  @Test
  void E3_aLockedTargetIsToldWithTheSetting() throws Exception {
    Sinks.writer(sink(server), 0).close();
    try (Connection other = server.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE orders IN SHARE MODE");
      assertThatThrownBy(
              () -> Sinks.writer(sink(server).lockTimeout(Duration.ofSeconds(1)), 0).close())
          .hasMessageContaining("Sink 'orders' could not look at its tables and at orders")
          .hasMessageContaining("lockTimeout, PT1S");
    }
  }

  @Test
  void E3_connectionsThatRunOutAreToldByNumber() throws Exception {
    Sql.execute(server, "ALTER ROLE guest CONNECTION LIMIT 0");
    assertThatThrownBy(() -> Sinks.writer(sink(server.url(), "guest"), 4).close())
        .isInstanceOf(SQLTransientConnectionException.class)
        .hasMessageContaining("gets no more connections")
        .hasMessageContaining("each of its 5 subtasks uses up to three");
    Sql.execute(server, "ALTER ROLE guest CONNECTION LIMIT -1");
  }

  @Test
  void E3_aDataSourceThatIsNoneIsNamed() {
    assertThatThrownBy(() -> Sinks.writer(sink(server).dataSource(() -> null), 0).close())
        .hasMessageContaining("factory of dataSource returned null");
  }

  @Test
  void E3_aDataSourceThatIsClosedIsTold() {
    assertThatThrownBy(
            () -> Sinks.writer(sink(server).dataSource(ClosedDataSource::new), 0).close())
        .isInstanceOf(SQLTransientConnectionException.class)
        .hasMessageContaining("Sink 'orders' gets no connection: the data source that the factory")
        .hasMessageContaining("has been closed: have the factory make one each time it is called")
        .hasMessageContaining("HikariPool-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"twophase_ledger", "twophase_ledger_staging", "rejected"})
  void E3_tablesOfTheSinksOwnThatLoseRowsAreRefused(String table) throws Exception {
    TransactionalJdbcSink<Order> sink = sink(server).deadLetterTable("rejected");
    Sinks.writer(sink, 0).close();
    Sql.execute(server, "ALTER TABLE " + table + " SET UNLOGGED");
    refusal(sink).hasMessageContaining("table " + table + " is UNLOGGED");
    Sql.execute(server, "DROP TABLE " + table);

    MariaDbServer mariaDb = MARIADB.server();
    Sql.execute(
        mariaDb,
        "DROP TABLE IF EXISTS orders",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT)");
    TransactionalJdbcSink<Order> onMariaDb = sink(mariaDb).deadLetterTable("rejected");
    Sinks.writer(onMariaDb, 0).close();
    Sql.execute(mariaDb, "ALTER TABLE " + table + " ENGINE=MyISAM");
    refusal(onMariaDb).hasMessageContaining(table).hasMessageContaining("MyISAM");
    Sql.execute(mariaDb, "DROP TABLE " + table);
  }

  @Test
  void E3_aServerThatLosesCommitsIsRefused() throws Exception {
    Sql.execute(server, "ALTER ROLE guest SET synchronous_commit = off", "DROP OWNED BY guest");
    Sql.execute(server, "GRANT ALL ON SCHEMA public TO guest", "GRANT ALL ON orders TO guest");

    refusal(sink(server.url(), "guest")).hasMessageContaining("synchronous_commit");
    Sql.execute(server, "ALTER ROLE guest RESET ALL");
  }

  @Test
  void E3_whatOfMariaDbCannotKeepCommitsIsRefused() throws Exception {
    MariaDbServer mariaDb = MARIADB.server();
    Sql.execute(
        mariaDb,
        "DROP TABLE IF EXISTS orders",
        "CREATE TABLE shown (id BIGINT PRIMARY KEY, item TEXT)",
        "CREATE VIEW orders AS SELECT * FROM shown");
    refusal(sink(mariaDb)).hasMessageContaining("is a view. Name the table");
    Sql.execute(mariaDb, "DROP VIEW orders", "ALTER TABLE shown RENAME TO orders");

    Sql.execute(mariaDb, "SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    refusal(sink(mariaDb)).hasMessageContaining("innodb_flush_log_at_trx_commit is 2");
    Sql.execute(mariaDb, "SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    Sinks.writer(sink(mariaDb), 0).close();
  }

  /** The last of so many subtasks, each with up to three connections. */
  @Test
  void E3_moreSubtasksThanTheServerHasConnectionsForAreRefused() throws Exception {
    int most = 100;
    Sinks.writer(sink(server), most / 3 - 1).close();
    assertThatThrownBy(() -> Sinks.writer(sink(server), most / 3).close())
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("max_connections is " + most)
        .hasMessageContaining("Raise it");
  }

  @Test
  void E3_aBulkPathThatTheDatabaseLacksIsRefused() {
    refusal(sink(server).bulkPath(BulkPath.LOAD_DATA))
        .hasMessageContaining("bulkPath is LOAD_DATA")
        .hasMessageContaining("PostgreSQL does not have it");
    refusal(sink(MARIADB.server()).bulkPath(BulkPath.COPY))
        .hasMessageContaining("bulkPath is COPY")
        .hasMessageContaining("use AUTO");
  }

  @Test
  void E3_tablesOfTheSinksOwnThatItCannotUseAreNamed() throws Exception {
    Sql.execute(server, "DROP TABLE IF EXISTS other", "CREATE TABLE other (id BIGINT)");
    refusal(sink(server).ledgerTable("other"))
        .hasMessageContaining("table other")
        .hasMessageContaining("name another");

    Sinks.writer(sink(server), 0).close();
    Sql.execute(
        server,
        "DROP OWNED BY guest",
        "GRANT ALL ON SCHEMA public TO guest",
        "GRANT ALL ON orders, twophase_ledger TO guest",
        "GRANT SELECT ON twophase_ledger_staging TO guest");
    refusal(sink(server.url(), "guest"))
        .hasMessageContaining("table twophase_ledger_staging")
        .hasMessageContaining("Grant SELECT, INSERT, UPDATE and DELETE");

    Sql.execute(server, "REVOKE ALL ON twophase_ledger FROM guest");
    refusal(sink(server.url(), "guest"))
        .hasMessageContaining("table twophase_ledger is not usable")
        .hasMessageContaining("Grant SELECT, INSERT, UPDATE and DELETE")
        .hasMessageNotContaining("missing");

    assertThatThrownBy(() -> sink(server).ledgerTable("orders").buildSink())
        .hasMessageContaining("'orders' is to be two things at once");
  }

  @Test
  void E3_limitsThatDoNotFitTogetherAreRefused() {
    assertThatThrownBy(() -> sink(server).bufferLimit(1L << 40).buildSink())
        .hasMessageContaining("bufferLimit is 1099511627776")
        .hasMessageContaining("maxPendingBytes");
    assertThatThrownBy(() -> sink(server).replyTimeout(Duration.ofSeconds(5)).buildSink())
        .hasMessageContaining("replyTimeout is PT5S")
        .hasMessageContaining("lockTimeout");
    assertThatThrownBy(() -> sink(server).lockTimeout(Duration.ofSeconds(61)).buildSink())
        .hasMessageContaining("lockTimeout is PT1M1S")
        .hasMessageContaining("commitTimeout, which is PT1M");
    assertThatThrownBy(() -> sink(server).lockTimeout(Duration.ofDays(30)))
        .hasMessageContaining("a day at most");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " -- nothing",
        "COMMIT",
        "/* now */ rollback",
        "INSERT INTO orders VALUES (?); COMMIT",
        "DROP TABLE orders",
        "VACUUM orders",
        "lock table orders",
        "# now\nunlock tables",
        "(((commit)))",
        "/* one /* in another */ */ commit",
        "/*! COMMIT */",
        "/*M!100100 COMMIT */",
        "execute immediate 'commit'"
      })
  void E3_aStatementThatIsNotOneAboutDataIsRefused(String statement) {
    assertThatThrownBy(
            () ->
                TransactionalJdbcSink.<Order>builder()
                    .sql(statement, (order, p) -> p.set(1, order.id())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sql ");
  }

  @Test
  void semicolonsThatSeparateNothingAreNoReasonToRefuse() {
    TransactionalJdbcSink.<Order>builder()
        .sql("INSERT INTO orders (id, \"a;b\") VALUES (?, 'it''s; so') -- ;\n;", (order, p) -> {});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WITH commit AS (SELECT 1) INSERT INTO orders SELECT ?",
        "{call commit_of(?)}",
        "UPDATE orders SET data = data #> '{lock}' WHERE id = ?",
        "INSERT /*! HIGH_PRIORITY */ INTO orders VALUES (?)",
        "EXECUTE written(?)"
      })
  void statementsAboutDataAreTaken(String statement) {
    TransactionalJdbcSink.<Order>builder().sql(statement, (order, p) -> {});
  }

  @Test
  void E3_anUnreadableStatementIsRefused() {
    TransactionalJdbcSink<Order> broken =
        TransactionalJdbcSink.<Order>builder()
            .name("orders")
            .url(server.url())
            .credentials(() -> new Credentials("postgres", "hunter2"))
            .sql("INSERT INTO ordres VALUES (?)", (order, p) -> p.set(1, order.id()))
            .createTables();

    refusal(broken).hasMessageContaining("ordres");
  }

  @Test
  void E3_missingOrRefusedCredentialsAreNamed() {
    refusal(sink(server).credentials(() -> new Credentials("app", System.getenv("NOT_SET"))))
        .hasMessageContaining("credentials")
        .hasMessageContaining("the password is null");
    refusal(sink(server).credentials(() -> null)).hasMessageContaining("returned null");
    refusal(sink(server.url(), "nobody"))
        .hasMessageContaining("url, user or password")
        .hasMessageContaining("nobody");
    refusal(sink(server.url() + "_of_another_name", "postgres"))
        .hasMessageContaining("postgres_of_another_name");
  }

  @Test
  void E3_aMissingDriverIsRefusedAlsoInModeXa() {
    TransactionalJdbcSink<Order> nowhere = sink("jdbc:nobody:shop", "app");
    refusal(nowhere).hasMessageContaining("jdbc:nobody:shop").hasMessageContaining("driver");
    refusal(nowhere.mode(CommitMode.XA)).hasMessageContaining("Add the driver");
  }

  /** It may be up again in a moment. */
  @Test
  void aServerThatIsAwayIsNotRefusedForGood() {
    assertThatThrownBy(() -> Sinks.writer(sink("jdbc:postgresql://127.0.0.1:1/shop", "app"), 0))
        .isInstanceOf(SQLTransientConnectionException.class)
        .hasMessageContaining("Sink 'orders' does not reach its database")
        .hasMessageContaining("check host and port of jdbc:postgresql://127.0.0.1:1/shop");
  }
}
