package dev.twophase.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.MariaDbServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows above what MariaDB takes in one packet, and large ones below. */
@Timeout(120)
class LargeRowTest {

  private static final int PACKET = 1 << 20;

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> DATABASE =
      DatabaseExtension.of(() -> MariaDbServer.create("--max-allowed-packet=" + PACKET));

  private final MariaDbServer server = DATABASE.server();

  @BeforeEach
  void createTarget() throws Exception {
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS orders, twophase_ledger, twophase_ledger_staging",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item LONGTEXT)");
  }

  @ParameterizedTest
  @CsvSource({
    "mariadb, AUTO, 4194304",
    "mariadb, AUTO, 0",
    "mariadb, LOAD_DATA, 0",
    "mysql, AUTO, 4194304",
    "mysql, AUTO, 0"
  })
  void aRowAboveThePacketIsNamedAndOneBelowIsWritten(String driver, BulkPath path, long limit)
      throws Exception {
    String user = server.user();
    TransactionalJdbcSink<Order> sink =
        TransactionalJdbcSink.<Order>builder()
            .name("orders")
            .url(
                server.url().replace("mariadb", driver)
                    + (path == BulkPath.LOAD_DATA ? "?allowLocalInfile=true" : ""))
            .credentials(() -> new Credentials(user, "none"))
            .insertInto("orders")
            .key("id", Order::id)
            .column("item", Order::item)
            .bulkPath(path)
            .bufferLimit(limit)
            .createTables();
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Object open = writer.begin(0);
      assertThatThrownBy(() -> writer.write(open, new Order(3, "x".repeat(PACKET), 0)))
          .hasMessageContaining("The record of the row with id=3: a row takes 10")
          .hasMessageContaining("max_allowed_packet, which is " + PACKET + ": raise that, or");
      Prepared prepared =
          writer.prepare(
              1, new Order(1, "x".repeat(PACKET / 4), 0), new Order(2, "'".repeat(PACKET / 4), 0));

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(Sql.number(server, "SELECT count(*) FROM orders")).isEqualTo(2);
  }
}
