package dev.twophase.jdbc.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.jdbc.CommitMode;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({"LEDGER, true", "LEDGER, false", "XA, true", "XA, false"})
  void E1_aBoundedJobPublishesAllItsRecords(CommitMode mode, boolean throughSinkV2)
      throws Exception {
    add(sink().mode(mode), throughSinkV2);

    environment.execute();

    assertPublished();
    assertThat(Sql.number(server, "SELECT sum(row_count) FROM twophase_ledger")).isEqualTo(RECORDS);
    assertThat(Sql.number(server, "SELECT count(*) FROM pg_prepared_xacts")).isZero();
  }

  private void add(TransactionalJdbcSink<Order> sink, boolean throughSinkV2) {
    if (throughSinkV2) {
      stream().sinkTo(sink.buildSink()).uid("orders-sink");
    } else {
      TransactionalSinkFunction.addTo(stream(), "orders-sink", sink.buildFunction());
    }
  }

  @Test
  void C1_aBatchJobPublishesAtItsEnd() throws Exception {
    environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
    stream().sinkTo(sink().buildSink()).uid("orders-sink");

    environment.execute();

    assertPublished();
  }

  @ParameterizedTest
  @CsvSource({
    "AT_LEAST_ONCE, true",
    "AT_LEAST_ONCE, false",
    "NONE, true",
    "NONE, false",
  })
  void weakerGuaranteesKeepNoLedger(DeliveryGuarantee guarantee, boolean throughSinkV2)
      throws Exception {
    add(sink().options(SinkOptions.defaults().withGuarantee(guarantee)), throughSinkV2);

    environment.execute();

    assertPublished();
    assertThat(Sql.number(server, "SELECT count(*) FROM twophase_ledger")).isZero();
  }

  /** One begins the name of the other, and ledger, staging and target are the same. */
  @Test
  void W6_twoJobsAtOnceWriteOneTable() throws Exception {
    List<JobClient> jobs = new ArrayList<>();
    for (String name : List.of("orders", "orders-eu")) {
      stream(jobs.size() * RECORDS / 2 + 1, (jobs.size() + 1) * RECORDS / 2)
          .sinkTo(sink().name(name).bufferLimit(1_000).buildSink())
          .uid("orders-sink");
      jobs.add(environment.executeAsync(name));
    }

    for (JobClient job : jobs) {
      job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
    }

    assertPublished();
    assertThat(Sql.column(server, "SELECT DISTINCT sink FROM twophase_ledger ORDER BY sink"))
        .containsExactly("orders", "orders-eu");
  }

  private void assertPublished() throws Exception {
    assertThat(Sql.number(server, "SELECT count(*) FROM orders")).isEqualTo(RECORDS);
    assertThat(Sql.number(server, "SELECT sum(id) FROM orders"))
        .isEqualTo(RECORDS * (RECORDS + 1) / 2);
    assertThat(Sql.number(server, "SELECT count(*) FROM twophase_ledger_staging")).isZero();
  }

  private DataStream<Order> stream() {
    return stream(1, RECORDS);
  }

  private DataStream<Order> stream(long first, long last) {
    return environment
        .fromSequence(first, last)
        .map(Order::of)
        .returns(TypeInformation.of(Order.class));
  }

  private TransactionalJdbcSink<Order> sink() {
    return Sinks.orders(server.url(), server.user());
  }
}
