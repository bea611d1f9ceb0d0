package dev.twophase.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole jobs through both of Flink's sink APIs. */
@Timeout(120)
class JdbcSinkJobTest {

  private static final long RECORDS = 20_000;

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().build());

  private final PostgresServer server = DATABASE.server();
  private final StreamExecutionEnvironment environment =
      StreamExecutionEnvironment.getExecutionEnvironment();

  @BeforeEach
  void configure() throws Exception {
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS orders, twophase_ledger, twophase_ledger_staging",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT, amount DOUBLE PRECISION)");
    environment.setParallelism(2);
    environment.enableCheckpointing(50);
  }

  @Test
  void E1_aBoundedJobPublishesAllItsRecordsThroughSinkV2() throws Exception {
    stream().sinkTo(sink().buildSink()).uid("orders-sink");

    environment.execute();

    assertPublished();
  }

  @Test
  void E1_aBoundedJobPublishesAllItsRecordsThroughTheFunction() throws Exception {
    TransactionalSinkFunction.addTo(stream(), "orders-sink", sink().buildFunction());

    environment.execute();

    assertPublished();
  }

  @Test
  void C1_aBatchJobPublishesAtItsEnd() throws Exception {
    environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
    stream().sinkTo(sink().buildSink()).uid("orders-sink");

    environment.execute();

    assertPublished();
  }

  @ParameterizedTest
  @EnumSource(
      value = DeliveryGuarantee.class,
      names = {"AT_LEAST_ONCE", "NONE"})
  void weakerGuaranteesKeepNoLedger(DeliveryGuarantee guarantee) throws Exception {
    SinkOptions options = SinkOptions.defaults().withGuarantee(guarantee);
    stream().sinkTo(sink().options(options).buildSink()).uid("orders-sink");

    environment.execute();

    assertPublished();
    assertThat(Sql.number(server, "SELECT count(*) FROM twophase_ledger")).isZero();
  }

  private void assertPublished() throws Exception {
    assertThat(Sql.number(server, "SELECT count(*) FROM orders")).isEqualTo(RECORDS);
    assertThat(Sql.number(server, "SELECT sum(id) FROM orders"))
        .isEqualTo(RECORDS * (RECORDS + 1) / 2);
    assertThat(Sql.number(server, "SELECT count(*) FROM twophase_ledger_staging")).isZero();
  }

  private DataStream<Order> stream() {
    return environment
        .fromSequence(1, RECORDS)
        .map(Order::of)
        .returns(TypeInformation.of(Order.class));
  }

  private TransactionalJdbcSink<Order> sink() {
    String user = server.user();
    return TransactionalJdbcSink.<Order>builder()
        .name("orders")
        .url(server.url())
        .credentials(() -> new Credentials(user, "none"))
        .insertInto("orders")
        .key("id", Order::id)
        .column("item", Order::item)
        .column("amount", Order::amount)
        .createTables();
  }
}
