package dev.twophase.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Columns that must have a value and that nothing gives one. */
@Timeout(120)
class UnfedColumnTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> POSTGRES =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> MARIADB =
      DatabaseExtension.of(MariaDbServer::create);

  private static TransactionalJdbcSink<Order> sink(DatabaseServer server) {
    String user = server.user();
    return TransactionalJdbcSink.<Order>builder()
        .name("orders")
        .url(server.url())
        .credentials(() -> new Credentials(user, "none"))
        .insertInto("orders")
        .key("id", Order::id)
        .createTables();
  }

  private static void assertRefused(TransactionalJdbcSink<Order> sink, String column) {
    assertThatThrownBy(() -> Sinks.writer(sink, 0).close())
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("column " + column + " is NOT NULL in table orders")
        .hasMessageContaining("nothing gives it a value")
        .hasMessageContaining("give it a default");
  }

  private static void assertTaken(TransactionalJdbcSink<Order> sink) throws Exception {
    Sinks.writer(sink, 0).close();
  }

  @Test
  void E3_aColumnOfPostgresThatNothingFeedsIsNamed() throws Exception {
    PostgresServer server = POSTGRES.server();
    Sql.execute(
        server,
        "CREATE DOMAIN given AS TEXT DEFAULT 'x'",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, free TEXT, domain given NOT NULL,"
            + " number BIGINT GENERATED ALWAYS AS IDENTITY, serial SERIAL,"
            + " preset TEXT NOT NULL DEFAULT '', twice BIGINT NOT NULL GENERATED ALWAYS AS (2 * id)"
            + " STORED, item TEXT NOT NULL, gone TEXT NOT NULL)",
        "ALTER TABLE orders DROP COLUMN gone");

    assertRefused(sink(server), "item");
    assertRefused(sink(server).upsertInto("orders"), "item");
    assertTaken(sink(server).deleteFrom("orders"));
    assertTaken(sink(server).column("item", Order::item));

    Sql.execute(
        server,
        "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN NEW.item := 'filled'; RETURN NEW; END $$",
        "CREATE TRIGGER late AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION fill()");
    assertRefused(sink(server), "item");
    Sql.execute(
        server,
        "CREATE TRIGGER fills BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION fill()");
    assertTaken(sink(server));
  }

  @Test
  void E3_aColumnOfPartitionsThatNothingFeedsIsNamed() throws Exception {
    PostgresServer server = POSTGRES.server();
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS parts",
        "CREATE TABLE parts (id BIGINT PRIMARY KEY, item TEXT NOT NULL) PARTITION BY RANGE (id)",
        "CREATE TABLE few PARTITION OF parts FOR VALUES FROM (0) TO (9)",
        "CREATE FUNCTION fill_part() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN NEW.item := 'filled'; RETURN NEW; END $$");
    assertThatThrownBy(() -> Sinks.writer(sink(server).insertInto("parts"), 0).close())
        .hasMessageContaining("column item is NOT NULL in table parts");

    Sql.execute(
        server,
        "CREATE TRIGGER fills BEFORE INSERT ON few FOR EACH ROW EXECUTE FUNCTION fill_part()");
    assertTaken(sink(server).insertInto("parts"));
  }

  @Test
  void E3_aColumnOfMariaDbThatNothingFeedsIsNamed() throws Exception {
    MariaDbServer server = MARIADB.server();
    Sql.execute(
        server,
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, free TEXT, preset INT NOT NULL DEFAULT 1,"
            + " serial BIGINT NOT NULL AUTO_INCREMENT UNIQUE,"
            + " twice BIGINT AS (2 * id) STORED, item VARCHAR(9) NOT NULL)");

    assertRefused(sink(server), "item");
    assertRefused(sink(server).upsertInto("orders"), "item");
    assertTaken(sink(server).deleteFrom("orders"));
    assertTaken(sink(server).column("item", Order::item));

    Sql.execute(
        server,
        "CREATE TRIGGER fills BEFORE INSERT ON orders FOR EACH ROW SET NEW.item = 'filled'");
    TransactionalJdbcSink<Order> filled = sink(server);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(filled, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(filled)) {
      committer.commit(writer.prepare(0, Order.of(1)));
    }
    assertThat(Sql.column(server, "SELECT item FROM orders")).containsExactly("filled");
  }
}
