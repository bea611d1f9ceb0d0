package dev.twophase.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.RowDataColumns;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flink's own rows, changelogs among them. */
@Timeout(120)
class RowsTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  private final PostgresServer server = DATABASE.server();

  @BeforeEach
  void createTarget() throws Exception {
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS things, twophase_ledger",
        "CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT, price NUMERIC(10,2), day DATE,"
            + " at TIME, local TIMESTAMP, instant TIMESTAMPTZ, tags TEXT[])");
  }

  private <T> TransactionalJdbcSink<T> sink() {
    return TransactionalJdbcSink.<T>builder()
        .name("orders")
        .url(server.url())
        .credentials(() -> new Credentials("postgres", "none"))
        .upsertInto("things")
        .createTables();
  }

  private static <T> void write(TransactionalJdbcSink<T> sink, List<T> records) throws Exception {
    try (DrivenConnector<T, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<T, Object, ?> committer = Sinks.committer(sink)) {
      Object transaction = writer.begin(0);
      for (T each : records) {
        writer.write(transaction, each);
      }
      assertThat(committer.commit(writer.preCommit(0, transaction).orElseThrow()))
          .isEqualTo(CommitOutcome.committed());
    }
  }

  @Test
  void aChangelogOfRowsEndsInItsTable() throws Exception {
    TransactionalJdbcSink<Row> sink =
        this.<Row>sink()
            .key("id", row -> row.getField(0))
            .column("name", row -> row.getField(1))
            .deleteWhen(row -> row.getKind() == RowKind.DELETE);

    write(
        sink,
        List.of(
            Row.ofKind(RowKind.INSERT, 1L, "one"),
            Row.ofKind(RowKind.INSERT, 2L, "two"),
            Row.ofKind(RowKind.UPDATE_BEFORE, 2L, "two"),
            Row.ofKind(RowKind.UPDATE_AFTER, 2L, "zwei"),
            Row.ofKind(RowKind.DELETE, 1L, "one")));

    assertThat(Sql.column(server, "SELECT id || name FROM things")).containsExactly("2zwei");
  }

  @ParameterizedTest
  @EnumSource(
      value = RowKind.class,
      names = {"DELETE", "UPDATE_BEFORE"})
  void aRetractionIsNeverWrittenAsARow(RowKind kind) throws Exception {
    TransactionalJdbcSink<Row> inserts = this.<Row>sink().insertInto("things");
    TransactionalJdbcSink<RowData> upserts = this.<RowData>sink();
    inserts.key("id", row -> row.getField(0));
    upserts.key("id", RowDataColumns.field(0, new BigIntType()));

    assertThatThrownBy(() -> write(inserts, List.of(Row.ofKind(kind, 1L))))
        .hasMessageContaining("kind " + kind)
        .hasMessageContaining("deleteWhen");
    if (kind == RowKind.DELETE) {
      assertThatThrownBy(() -> write(upserts, List.of(GenericRowData.ofKind(kind, 1L))))
          .hasMessageContaining("upsertInto would write as a row");
    }
    assertThat(Sql.column(server, "SELECT id FROM things")).isEmpty();
  }

  @Test
  void fieldsOfInternalRowsKeepTheirValues() throws Exception {
    TransactionalJdbcSink<RowData> sink =
        this.<RowData>sink()
            .key("id", RowDataColumns.field(0, new BigIntType()))
            .column("name", RowDataColumns.field(1, new VarCharType()))
            .column("price", RowDataColumns.field(2, new DecimalType(10, 2)))
            .column("day", RowDataColumns.field(3, new DateType()))
            .column("at", RowDataColumns.field(4, new TimeType()))
            .column("local", RowDataColumns.field(5, new TimestampType(6)))
            .column("instant", RowDataColumns.field(6, new LocalZonedTimestampType(6)))
            .column("tags", RowDataColumns.field(7, new ArrayType(new VarCharType())))
            .deleteWhen(RowDataColumns.retractions());
    RowData full =
        GenericRowData.of(
            1L,
            StringData.fromString("é"),
            DecimalData.fromBigDecimal(new BigDecimal("12.30"), 10, 2),
            20_000,
            3_600_000,
            TimestampData.fromLocalDateTime(LocalDateTime.of(2026, 11, 29, 19, 0)),
            TimestampData.fromInstant(Instant.EPOCH),
            new GenericArrayData(new Object[] {StringData.fromString("a"), null}));
    GenericRowData empty = new GenericRowData(8);
    empty.setField(0, 2L);
    GenericRowData gone = new GenericRowData(RowKind.DELETE, 8);
    gone.setField(0, 3L);

    write(sink, List.of(full, empty, gone));

    assertThat(
            Sql.column(
                server,
                "SELECT concat_ws('|', id, name, price, day, at, local,"
                    + " extract(epoch FROM instant)::int, tags) FROM things ORDER BY id"))
        .containsExactly("1|é|12.30|2024-10-04|01:00:00|2026-11-29 19:00:00|0|{a,NULL}", "2");
  }

  @Test
  void aFieldThatNoColumnCanHoldIsRefused() {
    assertThatThrownBy(
            () -> RowDataColumns.field(0, new MapType(new BigIntType(), new BigIntType())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("MAP<BIGINT, BIGINT>");
  }
}
