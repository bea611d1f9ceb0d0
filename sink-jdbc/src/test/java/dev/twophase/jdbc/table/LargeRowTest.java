package dev.twophase.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.OrdersOnPostgres;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.MariaDbServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What MariaDB takes in one packet: a row just below, one just above, and several rows above. */
@Timeout(180)
class LargeRowTest {

  private static final int PACKET = 1 << 20;
  private static final int SMALL_PACKET = 1 << 16;

  /** In the handle; in the staging table. */
  private static final List<Long> LIMITS = List.of(1L << 26, 0L);

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> DATABASE =
      DatabaseExtension.of(() -> MariaDbServer.create("--debug-no-sync"));

  private final MariaDbServer server = DATABASE.server();

  /** Each has a way of its own to make packets of rows. */
  private enum Way {
    MARIADB("mariadb", ""),
    MARIADB_BULK_FOR_ALL("mariadb", "?useBulkStmts=true"),
    MARIADB_WITHOUT_BULK("mariadb", "?useBulkStmtsForInserts=false"),
    MARIADB_SERVER_PREPARED("mariadb", "?useServerPrepStmts=true"),
    MARIADB_LOAD_DATA("mariadb", "?allowLocalInfile=true"),
    MYSQL("mysql", ""),
    MYSQL_REWRITTEN("mysql", "?rewriteBatchedStatements=true"),
    MYSQL_SERVER_PREPARED("mysql", "?useServerPrepStmts=true");

    private final String driver;
    private final String options;

    Way(String driver, String options) {
      this.driver = driver;
      this.options = options;
    }

    BulkPath path() {
      return this == MARIADB_LOAD_DATA ? BulkPath.LOAD_DATA : BulkPath.AUTO;
    }
  }

  /** What a row is large of; where it is text, quotes are escaped. */
  private enum Content {
    LETTERS,
    QUOTES,
    BYTES;

    Order row(long id, int length) {
      return new Order(id, (this == QUOTES ? "'" : "x").repeat(length), 0);
    }
  }

  static Stream<Arguments> waysAndLimits() {
    return Stream.of(Way.values())
        .flatMap(way -> LIMITS.stream().map(limit -> Arguments.of(way, limit)));
  }

  @BeforeEach
  void createTarget() throws Exception {
    Sql.execute(
        server,
        "SET GLOBAL max_allowed_packet=" + PACKET,
        "DROP TABLE IF EXISTS orders, twophase_ledger, twophase_ledger_staging, rejected",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item LONGTEXT, bytes LONGBLOB)");
  }

  private TransactionalJdbcSink<Order> sink(Way way, long limit, Content content) {
    String user = server.user();
    TransactionalJdbcSink<Order> sink =
        TransactionalJdbcSink.<Order>builder()
            .name("orders")
            .url(server.url().replace("mariadb", way.driver) + way.options)
            .credentials(() -> new Credentials(user, "none"))
            .insertInto("orders")
            .key("id", Order::id)
            .bulkPath(way.path())
            .bufferLimit(limit)
            .createTables();
    return content == Content.BYTES
        ? sink.column("bytes", order -> order.item().getBytes(StandardCharsets.ISO_8859_1))
        : sink.column("item", Order::item);
  }

  private static void commit(TransactionalJdbcSink<Order> sink, Order... orders) throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(committer.commit(writer.prepare(0, orders))).isEqualTo(CommitOutcome.committed());
    }
  }

  private void assertLengths(String column, int rows, int length) throws Exception {
    assertThat(
            Sql.column(
                server, "SELECT LENGTH(" + column + ") FROM orders WHERE " + column + " <> ''"))
        .hasSize(rows)
        .containsOnly(String.valueOf(length));
  }

  @ParameterizedTest
  @MethodSource("waysAndLimits")
  void rowsThatFitOneByOneAreWrittenTogether(Way way, long limit) throws Exception {
    int length = PACKET / 3;
    Order[] rows =
        IntStream.range(0, 12)
            .mapToObj(id -> Content.LETTERS.row(id, length))
            .toArray(Order[]::new);
    commit(sink(way, limit, Content.LETTERS), rows);
    assertLengths("item", rows.length, length);

    if (way.path() == BulkPath.AUTO) {
      commit(sink(way, limit, Content.LETTERS).upsertInto("orders"), rows);
      assertLengths("item", rows.length, length);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aRowAtTheBorderIsWrittenAndOneAboveIsNamed(Way way) throws Exception {
    for (Content content : Content.values()) {
      int most = most(way, content);
      for (long limit : LIMITS) {
        createTarget();
        commit(sink(way, limit, content), content.row(1, most), content.row(2, most));
        assertLengths(content == Content.BYTES ? "bytes" : "item", 2, most);
      }
    }
  }

  /** Length of the largest row that is taken, by asking with longer and longer ones. */
  private int most(Way way, Content content) throws Exception {
    int taken = PACKET / 4;
    int refused = PACKET;
    try (DrivenConnector<Order, Object, ?> writer =
        Sinks.writer(sink(way, LIMITS.get(0), content), 0)) {
      assertThatThrownBy(() -> writer.begin(0, content.row(3, PACKET)))
          .hasMessageContaining("The record of the row with id=3: a row takes ")
          .hasMessageContaining("max_allowed_packet, which is " + PACKET + ": raise that, or");
      while (refused - taken > 1) {
        int middle = (taken + refused) / 2;
        if (isTaken(writer, content.row(3, middle))) {
          taken = middle;
        } else {
          refused = middle;
        }
      }
    }
    boolean escaped = content == Content.QUOTES;
    boolean digits = content == Content.BYTES && way.driver.equals("mysql");
    assertThat(taken).isGreaterThan((escaped || digits ? PACKET / 2 : PACKET) - 5_000);
    return taken;
  }

  private static boolean isTaken(DrivenConnector<Order, Object, ?> writer, Order row)
      throws Exception {
    try {
      writer.begin(0, row);
      return true;
    } catch (IllegalArgumentException tooLarge) {
      return false;
    }
  }

  /** Smaller than a block of rows usually is. */
  @ParameterizedTest
  @MethodSource("waysAndLimits")
  void aSmallPacketTakesManyRowsInTurn(Way way, long limit) throws Exception {
    Sql.execute(server, "SET GLOBAL max_allowed_packet=" + SMALL_PACKET);

    commit(sink(way, limit, Content.LETTERS), OrdersOnPostgres.orders(0, 20_000));

    assertThat(Sql.number(server, "SELECT count(*) FROM orders")).isEqualTo(20_000);
    assertThat(Sql.number(server, "SELECT sum(id) FROM orders")).isEqualTo(199_990_000);
  }

  /** Two digits for a byte, where the row itself had one. */
  @Test
  void aRefusedRowThatIsTooLargeForTheTableOfDeadLettersIsNamed() throws Exception {
    Sql.execute(server, "ALTER TABLE orders MODIFY bytes LONGBLOB CHECK (LENGTH(bytes) < 1000)");
    TransactionalJdbcSink<Order> rejecting =
        sink(Way.MARIADB, LIMITS.get(0), Content.BYTES).deadLetterTable("rejected");
    commit(rejecting, Content.BYTES.row(1, 300_000), Content.BYTES.row(2, 10));
    assertThat(Sql.column(server, "SELECT LENGTH(content) > 600000 FROM rejected"))
        .containsExactly("1");

    assertThatThrownBy(
            () -> commit(rejecting, Content.BYTES.row(3, 700_000), Content.BYTES.row(4, 10)))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("refuses row 1 of 2")
        .hasMessageContaining("id=3")
        .hasMessageContaining("does not fit into rejected by the server's max_allowed_packet");
    assertThat(Sql.column(server, "SELECT id FROM orders")).containsExactly("2");
  }
}
