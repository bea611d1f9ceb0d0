package dev.twophase.examples.jdbc;

import dev.twophase.flink.TransactionalSink;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.TransactionalJdbcSink;

/** Upserts orders, exactly once. */
public final class OrdersToPostgres {

  private OrdersToPostgres() {}

  /** A row of the table. */
  public record Order(long id, String item, double amount) {}

  /** The sink, for {@code stream.sinkTo(sink).uid("orders-sink")}. */
  public static TransactionalSink<Order, ?, ?> sink() {
    return
    // tag::sink[]
    TransactionalJdbcSink.<Order>builder()
        .name("orders")
        .url("jdbc:postgresql://db/shop")
        .credentials(() -> new Credentials("app", System.getenv("DB_PASSWORD")))
        .upsertInto("orders")
        .key("id", Order::id)
        .column("item", Order::item)
        .column("amount", Order::amount)
        .createTables()
        .buildSink();
    // end::sink[]
  }
}
