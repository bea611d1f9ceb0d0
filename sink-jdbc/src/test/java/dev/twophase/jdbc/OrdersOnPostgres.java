package dev.twophase.jdbc;

import dev.twophase.testkit.jdbc.DatabaseServer;
import java.util.stream.LongStream;

/** A table of orders, and a sink for it. */
public final class OrdersOnPostgres {

  private OrdersOnPostgres() {}

  public static void create(DatabaseServer server) throws Exception {
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS orders, rejected, twophase_ledger, twophase_ledger_staging",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT, amount DOUBLE PRECISION)");
  }

  public static TransactionalJdbcSink<Order> sink(int port) {
    return Sinks.orders("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres");
  }

  public static Order[] orders(long from, long to) {
    return LongStream.range(from, to).mapToObj(Order::of).toArray(Order[]::new);
  }

  public static long count(DatabaseServer server) throws Exception {
    return Sql.number(server, "SELECT count(*) FROM orders");
  }
}
