package dev.twophase.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.OrdersOnPostgres;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.DerbyServer;
import dev.twophase.testkit.jdbc.H2Server;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import dev.twophase.testkit.proxy.TcpProxy;
import dev.twophase.testkit.proxy.wire.MessageFramer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same operations on every database, with names that need quoting. */
@Timeout(120)
class DialectTest {

  /** Takes any server for MySQL; there is none of MySQL itself to be had as a dependency. */
  private static final String MYSQL_DRIVER = "MariaDB by MySQL's driver";

  /** Goes through what the standard has, and nothing else. */
  private static final String UNKNOWN = "unknown";

  /** A test of each, by its name. */
  @ParameterizedTest
  @ValueSource(
      strings = {"PostgreSQL", "PostgreSQL 14", "MariaDB", MYSQL_DRIVER, "Derby", "H2", UNKNOWN})
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  private @interface OnEveryDatabase {}

  private static final Map<String, DatabaseServer> SERVERS = new LinkedHashMap<>();

  @BeforeAll
  static void startServers() throws Exception {
    SERVERS.put("PostgreSQL", PostgresServer.builder().setting("fsync", "off").build());
    SERVERS.put(
        "PostgreSQL 14",
        PostgresServer.builder()
            .binaries(Path.of(System.getProperty("twophase.postgres14")))
            .setting("fsync", "off")
            .build());
    SERVERS.put("MariaDB", MariaDbServer.create());
    SERVERS.put("Derby", DerbyServer.create());
    SERVERS.put("H2", H2Server.create());
    for (DatabaseServer server : SERVERS.values()) {
      server.start();
    }
  }

  @AfterAll
  static void stopServers() throws Exception {
    for (DatabaseServer server : SERVERS.values()) {
      server.close();
    }
  }

  private static String quoted(String database, String name) {
    return database.startsWith("MariaDB") ? "`" + name + "`" : "\"" + name + "\"";
  }

  private static void prepare(String database) throws Exception {
    DatabaseServer server = server(database);
    try {
      Sql.execute(server, "DROP TABLE " + quoted(database, "Order"));
    } catch (SQLException firstTime) {
      assertThat(firstTime.getSQLState()).startsWith("42");
    }
    Sql.execute(
        server,
        "CREATE TABLE "
            + quoted(database, "Order")
            + " (id BIGINT NOT NULL PRIMARY KEY, "
            + quoted(database, "Item name")
            + " VARCHAR(100), amount DOUBLE PRECISION)");
  }

  private static DatabaseServer server(String database) {
    return switch (database) {
      case MYSQL_DRIVER -> SERVERS.get("MariaDB");
      case UNKNOWN -> SERVERS.get("H2");
      default -> SERVERS.get(database);
    };
  }

  private static String url(String database) {
    String url = server(database).url();
    return database.equals(MYSQL_DRIVER) ? url.replace("jdbc:mariadb:", "jdbc:mysql:") : url;
  }

  private static TransactionalJdbcSink<Order> base(String database) {
    DatabaseServer server = server(database);
    String user = server.user();
    String url = url(database);
    TransactionalJdbcSink<Order> sink =
        TransactionalJdbcSink.<Order>builder()
            .name("orders")
            .ledgerTable("ledger of orders")
            .createTables();
    return database.equals(UNKNOWN)
        ? sink.dataSource(() -> UnknownDatabase.at(url, user))
        : sink.url(url).credentials(() -> new Credentials(user, "none"));
  }

  private static TransactionalJdbcSink<Order> inserts(String database) {
    return items(database).insertInto("Order");
  }

  private static TransactionalJdbcSink<Order> upserts(String database) {
    return items(database).upsertInto("Order");
  }

  private static TransactionalJdbcSink<Order> items(String database) {
    return base(database).key(id(database), Order::id).column("Item name", Order::item);
  }

  private static boolean foldsToUpperCase(String database) {
    return database.equals("Derby") || database.equals("H2") || database.equals(UNKNOWN);
  }

  private static String id(String database) {
    return foldsToUpperCase(database) ? "ID" : "id";
  }

  private static String amount(String database) {
    return foldsToUpperCase(database) ? "AMOUNT" : "amount";
  }

  private static List<String> visible(String database) throws Exception {
    String table = quoted(database, "Order");
    List<String> rows = new ArrayList<>();
    List<String> items =
        Sql.column(
            server(database),
            "SELECT " + quoted(database, "Item name") + " FROM " + table + " ORDER BY id");
    List<String> ids = Sql.column(server(database), "SELECT id FROM " + table + " ORDER BY id");
    for (int i = 0; i < ids.size(); i++) {
      rows.add(ids.get(i) + ":" + items.get(i));
    }
    return rows;
  }

  @OnEveryDatabase
  void insertsAndUpsertsAndDeletesExactlyOnce(String database) throws Exception {
    prepare(database);
    TransactionalJdbcSink<Order> insert = inserts(database).column(amount(database), Order::amount);
    commitTwice(insert, new Order(1, "one", 0.1), new Order(2, null, 0.2), Order.of(3));
    assertThat(visible(database)).containsExactly("1:one", "2:null", "3:item 3");

    TransactionalJdbcSink<Order> upsert =
        upserts(database)
            .column(amount(database), Order::amount)
            .deleteWhen(order -> order.amount() < 0);
    commitTwice(
        upsert,
        new Order(3, "three", 0),
        new Order(4, "vier", 0),
        new Order(4, "four", 0),
        new Order(1, "", -1),
        new Order(5, "five", 0),
        new Order(5, "", -1));
    assertThat(visible(database)).containsExactly("2:null", "3:three", "4:four");

    TransactionalJdbcSink<Order> delete =
        base(database).deleteFrom("Order").key(id(database), Order::id);
    commitTwice(delete, Order.of(2), Order.of(9));
    assertThat(visible(database)).containsExactly("3:three", "4:four");
  }

  @OnEveryDatabase
  void aParameterThatIsSetToNullIsNullAndNotTheRowsBefore(String database) throws Exception {
    prepare(database);
    commitTwice(
        base(database)
            .sql(
                "INSERT INTO "
                    + quoted(database, "Order")
                    + " (id, "
                    + quoted(database, "Item name")
                    + ") VALUES (?, ?)",
                (order, parameters) -> {
                  parameters.set(1, order.id());
                  parameters.set(2, order.item());
                }),
        new Order(1, null, 0),
        new Order(2, "two", 0),
        new Order(3, null, 0));
    assertThat(visible(database)).containsExactly("1:null", "2:two", "3:null");
  }

  /** Else it would be NULL, and an UPDATE by NULL changes nothing and says nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"PostgreSQL", "MariaDB", MYSQL_DRIVER, "Derby", "H2", UNKNOWN})
  void aParameterThatIsForgottenIsNamed(String database) throws Exception {
    prepare(database);
    String sql =
        "UPDATE "
            + quoted(database, "Order")
            + " SET "
            + quoted(database, "Item name")
            + "=? WHERE id=?";
    try (DrivenConnector<Order, Object, ?> last =
            Sinks.writer(base(database).sql(sql, (order, p) -> p.set(1, order.item())), 0);
        DrivenConnector<Order, Object, ?> first =
            Sinks.writer(base(database).sql(sql, (order, p) -> p.set(2, order.id())), 0);
        DrivenConnector<Order, Object, ?> tooMany =
            Sinks.writer(
                base(database)
                    .sql(
                        sql,
                        (order, p) -> {
                          p.set(1, order.item());
                          p.set(2, order.id());
                          p.set(3, null);
                        }),
                0)) {
      assertThatThrownBy(() -> last.begin(0, Order.of(1)))
          .hasMessageContaining("not set parameter 2 of 2")
          .hasMessageContaining("to null where that is meant");
      assertThatThrownBy(() -> first.begin(0, Order.of(1)))
          .hasMessageContaining("not set parameter 1 of 2");
      assertThatThrownBy(() -> tooMany.begin(0, Order.of(1)))
          .hasMessageContaining("set parameter 3, and the statement has 2");
    }
  }

  @OnEveryDatabase
  void upsertsByAKeyWithANameThatIsNoPattern(String database) throws Exception {
    prepare(database);
    Sql.execute(
        server(database),
        "ALTER TABLE "
            + quoted(database, "Order")
            + " ADD COLUMN "
            + quoted(database, "$1) VALUES")
            + " BIGINT NOT NULL DEFAULT 0",
        "CREATE UNIQUE INDEX by_pattern ON "
            + quoted(database, "Order")
            + " ("
            + quoted(database, "$1) VALUES")
            + ")");
    TransactionalJdbcSink<Order> upsert =
        base(database)
            .upsertInto("Order")
            .key("$1) VALUES", Order::id)
            .column(id(database), Order::id)
            .column("Item name", Order::item);
    commitTwice(upsert, new Order(1, "one", 0), new Order(1, "again", 0), new Order(2, "two", 0));
    assertThat(visible(database)).containsExactly("1:again", "2:two");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PostgreSQL", "PostgreSQL 14", "MariaDB", "Derby", "H2", UNKNOWN})
  void stagesAndMergesManyRows(String database) throws Exception {
    prepare(database);
    commitTwice(
        base(database)
            .upsertInto("Order")
            .key(id(database), order -> order.id() % 300)
            .column("Item name", Order::item)
            .deleteWhen(order -> order.id() % 300 == 7)
            .bufferLimit(1_000),
        OrdersOnPostgres.orders(0, 1_200));
    assertThat(visible(database))
        .hasSize(299)
        .contains("6:item 906", "8:item 908", "299:item 1199")
        .doesNotContain("7:item 907");
  }

  /** All at the same time, since silence has to be waited for. */
  @Test
  void C7_aSilentDatabaseIsGivenUpAlsoWhileConnecting() throws Exception {
    List<String> databases = List.of("PostgreSQL", "MariaDB", MYSQL_DRIVER);
    for (String database : databases) {
      prepare(database);
    }
    ExecutorService threads = Executors.newFixedThreadPool(databases.size());
    try {
      List<Future<?>> checks = new ArrayList<>();
      for (String database : databases) {
        checks.add(threads.submit(() -> givesUpSilence(database)));
      }
      for (Future<?> check : checks) {
        check.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  private static boolean givesUpSilence(String database) throws Exception {
    DatabaseServer server = server(database);
    String name = database.equals(MYSQL_DRIVER) ? "by-mysql" : "orders";
    long first = database.equals(MYSQL_DRIVER) ? 100 : 0;
    try (TcpProxy proxy = TcpProxy.open(MessageFramer.opaque());
        DrivenConnector<Order, Object, ?> writer = Sinks.writer(inserts(database), name, 0);
        DrivenConnector<Order, Object, ?> committer =
            Sinks.committer(
                inserts(database)
                    .url(url(database).replaceFirst(":\\d+/", ":" + proxy.port() + "/"))
                    .lockTimeout(Duration.ofSeconds(1))
                    .replyTimeout(Duration.ofSeconds(2)),
                name)) {
      proxy.forwardTo(URI.create(server.url().substring("jdbc:".length())).getPort());
      assertThat(committer.commit(writer.prepare(0, Order.of(first))))
          .isEqualTo(CommitOutcome.committed());
      Prepared next = writer.prepare(1, Order.of(first + 1));
      proxy.stallAll();

      assertThatThrownBy(() -> committer.commit(next))
          .as(database)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("silent for longer than the replyTimeout of PT2S");
      assertThatThrownBy(() -> committer.commit(next))
          .as(database + ", connecting")
          .isInstanceOf(SQLException.class);

      proxy.resumeAll();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(SQLException.class)
          .until(() -> committer.commit(next).equals(CommitOutcome.committed()));
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PostgreSQL", "PostgreSQL 14", "MariaDB", MYSQL_DRIVER})
  void E3_aDatabaseThatIsNotThereIsRefused(String database) {
    TransactionalJdbcSink<Order> elsewhere =
        base(database)
            .url(url(database).replaceFirst("(\\w)($|[?;])", "$1_of_another_name$2"))
            .insertInto("Order")
            .key("id", Order::id);
    assertThatThrownBy(() -> Sinks.writer(elsewhere, 0))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("url, user or password")
        .hasMessageContaining("_of_another_name")
        .hasMessageContaining("Mend them");
  }

  @OnEveryDatabase
  void runsAStatementOfTheUsersOwn(String database) throws Exception {
    prepare(database);
    commitTwice(
        base(database)
            .sql(
                "INSERT INTO "
                    + quoted(database, "Order")
                    + " (id, amount, "
                    + quoted(database, "Item name")
                    + ") VALUES (?, ? + 1, ?)",
                (order, parameters) -> {
                  parameters.set(1, order.id());
                  parameters.set(3, order.item());
                  parameters.set(2, order.amount());
                }),
        Order.of(1),
        new Order(2, null, 0));

    assertThat(visible(database)).containsExactly("1:item 1", "2:null");
  }

  @OnEveryDatabase
  void aRowThatTheTargetRefusesIsNamedOrGoesToTheDeadLetters(String database) throws Exception {
    prepare(database);
    TransactionalJdbcSink<Order> insert = inserts(database);
    commitTwice(insert, new Order(2, "there", 0));
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(insert, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(insert)) {
      Prepared prepared = writer.prepare(0, Order.of(1), Order.of(2), Order.of(3));
      assertThatThrownBy(() -> committer.commit(prepared))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("refuses row 2 of 3")
          .hasMessageContaining(id(database) + "=2");
    }
    assertThat(visible(database)).containsExactly("2:there");

    String deadLetters = "dead letters by " + database;
    commitTwice(insert.deadLetterTable(deadLetters), Order.of(1), Order.of(2), Order.of(3));
    assertThat(visible(database)).containsExactly("1:item 1", "2:there", "3:item 3");
    assertThat(
            Sql.column(server(database), "SELECT position FROM " + quoted(database, deadLetters)))
        .containsExactly("2");
  }

  private static void commitTwice(TransactionalJdbcSink<Order> sink, Order... orders)
      throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared prepared = writer.prepare(0, orders);
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
  }
}
