package dev.twophase.jdbc;

import dev.twophase.TransactionalConnector;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Opening;
import org.apache.flink.connector.base.DeliveryGuarantee;

/** JDBC connectors, opened as tests want them. */
public final class Sinks {

  private Sinks() {}

  /** Inserts orders into a table of that name. */
  public static TransactionalJdbcSink<Order> orders(String url, String user) {
    return TransactionalJdbcSink.<Order>builder()
        .name("orders")
        .url(url)
        .credentials(() -> new Credentials(user, "none"))
        .insertInto("orders")
        .key("id", Order::id)
        .column("item", Order::item)
        .column("amount", Order::amount)
        .createTables();
  }

  public static <T> DrivenConnector<T, Object, ?> writer(TransactionalJdbcSink<T> sink, int subtask)
      throws Exception {
    return writer(sink, "orders", subtask);
  }

  /** After preflight, as in a job. */
  public static <T> DrivenConnector<T, Object, ?> writer(
      TransactionalJdbcSink<T> sink, String name, int subtask) throws Exception {
    DrivenConnector<T, Object, ?> writer =
        open(sink, Opening.writer(name).at(subtask, subtask + 1));
    writer.preflight();
    return writer;
  }

  /** Of two subtasks, restored from a state of that line. */
  public static <T> DrivenConnector<T, Object, ?> restored(
      TransactionalJdbcSink<T> sink, int subtask, long line) throws Exception {
    DrivenConnector<T, Object, ?> writer =
        open(sink, Opening.writer("orders").at(subtask, 2).restoredFromLine(line));
    writer.preflight();
    return writer;
  }

  public static <T> DrivenConnector<T, Object, ?> committer(TransactionalJdbcSink<T> sink)
      throws Exception {
    return committer(sink, "orders");
  }

  public static <T> DrivenConnector<T, Object, ?> committer(
      TransactionalJdbcSink<T> sink, String name) throws Exception {
    return open(sink, Opening.committer(name));
  }

  /** Writes and commits at once, as ours does for the weaker guarantees. */
  public static <T> DrivenConnector<T, Object, ?> atLeastOnce(TransactionalJdbcSink<T> sink)
      throws Exception {
    return open(sink, Opening.writer("orders").withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE));
  }

  @SuppressWarnings("unchecked") // no test looks into a transaction
  public static <T> DrivenConnector<T, Object, ?> open(
      TransactionalJdbcSink<T> sink, Opening opening) throws Exception {
    return DrivenConnector.open(
        (TransactionalConnector<T, Object, ?>) sink.buildConnector(), opening);
  }
}
