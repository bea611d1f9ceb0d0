package dev.twophase.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.SmallBlocks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Every bulk path stores what a plain INSERT stores, value by value. */
@Timeout(120)
class BulkPathTest {

  private static final int ROWS = 300;

  /** Enough for COPY to ask for the columns' types. */
  private static final int MANY_ROWS = 3_000;

  private static final long SEED = 20261129;

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> POSTGRES =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> MARIADB =
      DatabaseExtension.of(MariaDbServer::create);

  /** A column: its name and type, and a value for it. */
  private record Column(String name, String type, Supplier<Object> value) {}

  private record Row(Object[] values) implements Serializable {}

  private static final class Values {
    private final Random random = new Random(SEED);

    Supplier<Object> oftenNull(Supplier<Object> supplier) {
      return () -> random.nextInt(6) == 0 ? null : supplier.get();
    }

    @SafeVarargs
    final <T> Supplier<Object> oneOf(Supplier<Object> other, T... extremes) {
      return oftenNull(
          () -> random.nextInt(3) == 0 ? extremes[random.nextInt(extremes.length)] : other.get());
    }

    String text() {
      String[] pieces = {
        "a", "\t", "\n", "\r", "\\", "\\N", "\\.", "'", "\"", ",", "{", "}", "NULL", "é", "漢", "😀",
        " ", "\b", "%", "\u0001"
      };
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(8); i > 0; i--) {
        text.append(pieces[random.nextInt(pieces.length)]);
      }
      return text.toString();
    }

    byte[] bytes() {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      return bytes;
    }

    LocalDate date() {
      return LocalDate.of(1900 + random.nextInt(200), 1 + random.nextInt(12), 1);
    }

    LocalTime time() {
      return LocalTime.ofNanoOfDay(random.nextInt(86_400) * 1_000_000_000L)
          .plus(random.nextInt(1_000_000), ChronoUnit.MICROS);
    }

    LocalDateTime dateTime() {
      return LocalDateTime.of(date(), time());
    }
  }

  private static List<Column> common(Values v, boolean mariaDb) {
    Random random = v.random;
    return List.of(
        new Column("big", "BIGINT", v.oneOf(random::nextLong, Long.MIN_VALUE, Long.MAX_VALUE, 0L)),
        new Column("num", "INT", v.oneOf(random::nextInt, Integer.MIN_VALUE, Integer.MAX_VALUE)),
        new Column("small", "SMALLINT", v.oneOf(() -> (short) random.nextInt(), Short.MIN_VALUE)),
        new Column(
            "dbl",
            "DOUBLE PRECISION",
            v.oneOf(random::nextDouble, Double.MAX_VALUE, Double.MIN_NORMAL, -0.5, 0.1 + 0.2)),
        new Column(
            "dec_",
            "NUMERIC(38,10)",
            v.oneOf(
                () -> new BigDecimal(new BigInteger(90, random), 10),
                new BigDecimal("9999999999999999999999999999.9999999999"),
                new BigDecimal("-0.0000000001"),
                BigInteger.TEN)),
        new Column("flag", "BOOLEAN", v.oftenNull(random::nextBoolean)),
        new Column("txt", mariaDb ? "LONGTEXT" : "TEXT", v.oneOf(v::text, "", "\\N", "😀\t\\\n")),
        new Column("bin", mariaDb ? "LONGBLOB" : "BYTEA", v.oneOf(v::bytes, new byte[] {0, 92})),
        new Column("dt", "DATE", v.oftenNull(v::date)),
        new Column("tm", mariaDb ? "TIME(6)" : "TIME", v.oftenNull(v::time)),
        new Column("ts", mariaDb ? "DATETIME(6)" : "TIMESTAMP", v.oftenNull(v::dateTime)));
  }

  private static List<Column> postgres(Values v) {
    Random random = v.random;
    List<Column> columns = new ArrayList<>(common(v, false));
    columns.add(new Column("real_", "REAL", v.oneOf(random::nextFloat, Float.MAX_VALUE, 0.1f)));
    columns.add(
        new Column(
            "tz",
            "TIMESTAMPTZ",
            v.oneOf(
                () -> v.dateTime().atOffset(ZoneOffset.ofHours(random.nextInt(20) - 10)),
                OffsetDateTime.parse("0001-01-01T00:00:00Z"),
                Instant.EPOCH)));
    columns.add(new Column("uid", "UUID", v.oftenNull(() -> new UUID(random.nextLong(), 7))));
    columns.add(
        new Column(
            "js", "JSONB", v.oneOf(() -> "{\"a\": " + random.nextInt() + "}", "[\"\\\\\"]")));
    columns.add(
        new Column(
            "old", "DATE", v.oneOf(v::date, LocalDate.of(-43, 3, 15), LocalDate.of(12345, 1, 1))));
    columns.add(
        new Column(
            "texts",
            "TEXT[]",
            v.oneOf(
                () -> Stream.generate(v::text).limit(random.nextInt(4)).toList(),
                List.of(),
                Arrays.asList(null, "NULL", "{}", ""))));
    columns.add(
        new Column(
            "longs",
            "BIGINT[]",
            v.oneOf(() -> random.longs(random.nextInt(4)).toArray(), new long[] {Long.MIN_VALUE})));
    columns.add(
        new Column(
            "grid",
            "INT[][]",
            v.oftenNull(() -> List.of(List.of(1, random.nextInt()), Arrays.asList(null, 4)))));
    columns.add(
        new Column("stamps", "TIMESTAMP[]", v.oftenNull(() -> Arrays.asList(v.dateTime(), null))));
    columns.add(new Column("docs", "JSONB[]", v.oftenNull(() -> List.of("{\"a\": \"\\\\N\"}"))));
    return columns;
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "LOAD_DATA")
  void postgresStoresTheSame(BulkPath path) throws Exception {
    compare(POSTGRES.server(), postgres(new Values()), path, ROWS);
  }

  /** Of types that travel as bytes; late comes a time that is too fine for that. */
  @Test
  void postgresStoresTheSameInBinaryAndWhereItTurnsToText() throws Exception {
    Values v = new Values();
    Random random = v.random;
    AtomicInteger count = new AtomicInteger();
    List<Column> columns = new ArrayList<>(common(v, false));
    columns.removeIf(column -> column.name().equals("dec_"));
    columns.add(new Column("wide", "BIGINT", v.oneOf(random::nextInt, Integer.MIN_VALUE)));
    columns.add(new Column("real_", "REAL", v.oneOf(random::nextFloat, Float.NaN, -0.0f)));
    columns.add(new Column("code", "CHAR(9)", v.oneOf(() -> "é" + random.nextInt(999), "", " ")));
    columns.add(new Column("name", "VARCHAR(40)", v.oneOf(v::text, "漢😀 ", "\\.")));
    columns.add(new Column("uid", "UUID", v.oftenNull(() -> new UUID(random.nextLong(), 7))));
    columns.add(
        new Column(
            "tz",
            "TIMESTAMPTZ",
            v.oneOf(
                () -> v.dateTime().atOffset(ZoneOffset.ofTotalSeconds(random.nextInt(999) - 500)),
                OffsetDateTime.parse("0001-01-01T00:00:00Z"),
                Instant.EPOCH)));
    columns.add(
        new Column(
            "fine",
            "TIMESTAMP",
            () -> v.dateTime().plusNanos(count.getAndIncrement() % MANY_ROWS == 2_500 ? 501 : 0)));

    compare(POSTGRES.server(), columns, BulkPath.AUTO, MANY_ROWS);
  }

  /**
   * Through the hour that summer time repeats; text counts as what the server makes of a moment.
   */
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "LOAD_DATA")
  void postgresStoresTheSameMomentsInAndOutOfAZone(BulkPath path) throws Exception {
    Values v = new Values();
    Instant before = Instant.parse("2026-10-24T20:00:00Z");
    Supplier<Instant> instant = () -> before.plusSeconds(600L * v.random.nextInt(60));
    List<Column> columns = new ArrayList<>();
    for (String type : List.of("TIMESTAMPTZ", "TIMESTAMP", "DATE", "TEXT")) {
      String name = type.toLowerCase(Locale.ROOT);
      columns.add(new Column("i_" + name, type, instant::get));
      columns.add(
          new Column(
              "o_" + name, type, () -> instant.get().atOffset(ZoneOffset.ofHoursMinutes(5, 30))));
      columns.add(new Column("t_" + name, type, () -> Timestamp.from(instant.get())));
    }
    TimeZone zone = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try {
      compare(POSTGRES.server(), columns, path, ROWS);
    } finally {
      TimeZone.setDefault(zone);
    }
  }

  /** Few keys, so that most rows are written over, or gone, within the transaction. */
  @Test
  void postgresUpsertsAndDeletesTheSameByMergeAsOneByOne() throws Exception {
    Values v = new Values();
    List<Column> columns = postgres(v);
    int keys = MANY_ROWS / 6;
    List<Row> rows = rows(columns, MANY_ROWS);
    List<Row> changes = new ArrayList<>();
    for (Row row : rows) {
      Object[] values = Arrays.copyOf(row.values(), row.values().length + 1);
      values[0] = (long) v.random.nextInt(keys);
      values[values.length - 1] = v.random.nextInt(4) == 0;
      changes.add(new Row(values));
    }
    List<List<String>> results = new ArrayList<>();
    for (BulkPath path : List.of(BulkPath.BATCH, BulkPath.AUTO)) {
      create(POSTGRES.server(), columns);
      Sql.execute(
          POSTGRES.server(),
          "ALTER TABLE bulk ADD COLUMN note TEXT DEFAULT 'of the table'",
          "INSERT INTO bulk (row_id, note) SELECT id, 'of a row' FROM generate_series(0, 900, 3) id");
      commit(
          sink(POSTGRES.server(), columns, path)
              .upsertInto("bulk")
              .deleteWhen(row -> (Boolean) row.values()[row.values().length - 1]),
          changes);
      results.add(stored(POSTGRES.server()));
    }
    assertThat(results.get(0)).hasSizeBetween(keys / 2, keys + 300).isEqualTo(results.get(1));
  }

  @Test
  void postgresDeletesTheSameByMergeAsOneByOne() throws Exception {
    List<Column> columns = List.of(new Column("txt", "TEXT", () -> "x"));
    List<Row> rows = rows(columns, 600);
    for (BulkPath path : List.of(BulkPath.BATCH, BulkPath.AUTO)) {
      create(POSTGRES.server(), columns);
      Sql.execute(
          POSTGRES.server(), "INSERT INTO bulk SELECT id, 'x' FROM generate_series(300, 700) id");
      TransactionalJdbcSink<Row> deletes =
          TransactionalJdbcSink.<Row>builder()
              .name("orders")
              .url(POSTGRES.server().url())
              .credentials(() -> new Credentials("postgres", "none"))
              .deleteFrom("bulk")
              .key("row_id", row -> row.values()[0])
              .bulkPath(path)
              .createTables();
      commit(deletes, rows);
      assertThat(Sql.column(POSTGRES.server(), "SELECT min(row_id) || ' ' || count(*) FROM bulk"))
          .containsExactly("600 101");
    }
  }

  private static List<Column> mariaDb(Values v) {
    Random random = v.random;
    List<Column> columns = new ArrayList<>(common(v, true));
    columns.add(
        new Column(
            "instant",
            "TIMESTAMP(6) NULL",
            v.oneOf(
                () ->
                    Instant.ofEpochSecond(
                        1 + random.nextInt(2_000_000_000), 1_000L * random.nextInt(1_000_000)),
                OffsetDateTime.parse("2024-02-29T23:59:59.999999+11:30"))));
    columns.add(
        new Column("stamp", "DATETIME(6)", v.oftenNull(() -> Timestamp.valueOf(v.dateTime()))));
    columns.add(new Column("real_", "FLOAT", v.oneOf(random::nextFloat, 0.1f, -1e30f)));
    columns.add(
        new Column("tiny", "TINYINT", v.oneOf(() -> (byte) random.nextInt(), Byte.MIN_VALUE)));
    columns.add(
        new Column(
            "js", "JSON", v.oneOf(() -> "{\"a\": " + random.nextInt() + "}", "[\"\\\\N\\t😀\"]")));
    columns.add(new Column("nul", "LONGTEXT", v.oneOf(v::text, "a\0b", "\0", "\\0")));
    columns.add(new Column("uid", "UUID", v.oftenNull(() -> new UUID(random.nextLong(), 7))));
    return columns;
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTO", "BATCH", "LOAD_DATA"})
  void mariaDbStoresTheSame(BulkPath path) throws Exception {
    compare(MARIADB.server(), mariaDb(new Values()), path, ROWS);
  }

  /** What drivers make of a batch on request. */
  @ParameterizedTest
  @ValueSource(strings = {"reWriteBatchedInserts=true", "rewriteBatchedStatements=true"})
  void rewrittenBatchesStoreTheSame(String parameter) throws Exception {
    boolean mySql = parameter.startsWith("rewrite");
    DatabaseServer server = mySql ? MARIADB.server() : POSTGRES.server();
    List<Column> columns = mySql ? common(new Values(), true) : postgres(new Values());
    List<Row> rows = rows(columns, ROWS);
    String url = server.url().replace("jdbc:mariadb:", "jdbc:mysql:") + "?" + parameter;

    List<String> plain = writePlainly(server, columns, rows);
    create(server, columns);
    commit(sink(server, columns, BulkPath.BATCH).url(url), rows);

    assertThat(stored(server)).hasSize(ROWS).isEqualTo(plain);
  }

  @Test
  void textWithNulIsRefusedByNameBeforeItIsPrepared() throws Exception {
    PostgresServer server = POSTGRES.server();
    List<Column> columns = List.of(new Column("txt", "TEXT", () -> "a\0b"));
    create(server, columns);
    try (DrivenConnector<Row, Object, ?> writer =
        Sinks.writer(sink(server, columns, BulkPath.AUTO), 0)) {
      Object[] values = {1L, "a\0b"};
      assertThatThrownBy(() -> writer.begin(0, new Row(values)))
          .hasMessageContaining("Sink 'orders': Column 'txt' of the row with row_id=1: ")
          .hasMessageContaining("NUL");
    }
  }

  @Test
  void whatAnAuthorsFunctionThrowsIsNamedByColumnAndKey() throws Exception {
    PostgresServer server = POSTGRES.server();
    create(server, List.of(new Column("txt", "TEXT", () -> "x")));
    TransactionalJdbcSink<Row> throwing =
        sink(server, List.of(), BulkPath.AUTO)
            .upsertInto("bulk")
            .column("txt", row -> row.values()[7])
            .deleteWhen(row -> row.values().length == 1 ? null : false);
    try (DrivenConnector<Row, Object, ?> writer = Sinks.writer(throwing, 0)) {
      assertThatThrownBy(() -> writer.begin(0, new Row(new Object[] {1L, "x"})))
          .hasMessageContaining("Sink 'orders': Column 'txt' of the row with row_id=1: ")
          .hasMessageContaining("Index 7 out of bounds");
      assertThatThrownBy(() -> writer.begin(0, new Row(new Object[] {1L})))
          .hasMessageContaining("Sink 'orders': deleteWhen returned null");
    }
  }

  @Test
  void whatLoadDataWouldSkipIsRefused() throws Exception {
    MariaDbServer server = MARIADB.server();
    List<Column> columns = List.of(new Column("num", "INT", () -> 0));
    create(server, columns);
    TransactionalJdbcSink<Row> sink = sink(server, columns, BulkPath.LOAD_DATA);
    try (DrivenConnector<Row, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Row, Object, ?> committer = Sinks.committer(sink)) {
      Prepared twice =
          writer.prepare(0, new Row(new Object[] {1L, 1}), new Row(new Object[] {1L, 2}));

      assertThatThrownBy(() -> committer.commit(twice)).hasMessageContaining("row 2 of 2");
    }
    assertThat(Sql.number(server, "SELECT count(*) FROM bulk")).isZero();
  }

  private static void compare(DatabaseServer server, List<Column> columns, BulkPath path, int count)
      throws Exception {
    List<Row> rows = rows(columns, count);

    List<String> plain = writePlainly(server, columns, rows);
    List<String> bulk = write(server, columns, path, rows);

    assertThat(plain).hasSize(count);
    assertThat(bulk).isEqualTo(plain);
  }

  private static List<String> writePlainly(
      DatabaseServer server, List<Column> columns, List<Row> rows) throws Exception {
    create(server, columns);
    List<String> types = new ArrayList<>(List.of("BIGINT"));
    columns.forEach(column -> types.add(column.type()));
    PlainInsert.into(server, "bulk", types, rows.stream().map(Row::values).toList());
    return stored(server);
  }

  private static List<Row> rows(List<Column> columns, int count) {
    List<Row> rows = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      Object[] values = new Object[1 + columns.size()];
      values[0] = i;
      for (int c = 0; c < columns.size(); c++) {
        values[c + 1] = columns.get(c).value().get();
      }
      rows.add(new Row(values));
    }
    return rows;
  }

  private static void create(DatabaseServer server, List<Column> columns) throws Exception {
    StringBuilder ddl = new StringBuilder("CREATE TABLE bulk (row_id BIGINT PRIMARY KEY");
    columns.forEach(
        column -> ddl.append(", ").append(column.name()).append(' ').append(column.type()));
    Sql.execute(server, "DROP TABLE IF EXISTS bulk, twophase_ledger", ddl + ")");
  }

  private static TransactionalJdbcSink<Row> sink(
      DatabaseServer server, List<Column> columns, BulkPath path) {
    String user = server.user();
    TransactionalJdbcSink<Row> sink =
        TransactionalJdbcSink.<Row>builder()
            .name("orders")
            .url(server.url() + (path == BulkPath.LOAD_DATA ? "?allowLocalInfile=true" : ""))
            .credentials(() -> new Credentials(user, "none"))
            .insertInto("bulk")
            .key("row_id", row -> row.values()[0])
            .bulkPath(path)
            .createTables();
    for (int c = 0; c < columns.size(); c++) {
      int index = c + 1;
      sink.column(columns.get(c).name(), row -> row.values()[index]);
    }
    return sink;
  }

  private static List<String> write(
      DatabaseServer server, List<Column> columns, BulkPath path, List<Row> rows) throws Exception {
    create(server, columns);
    commit(SmallBlocks.of(1 << 16, sink(server, columns, path)), rows);
    return stored(server);
  }

  private static void commit(TransactionalJdbcSink<Row> sink, List<Row> rows) throws Exception {
    try (DrivenConnector<Row, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Row, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(committer.commit(writer.prepare(0, rows.toArray(new Row[0]))))
          .isEqualTo(CommitOutcome.committed());
    }
  }

  private static List<String> stored(DatabaseServer server) throws Exception {
    List<String> stored = new ArrayList<>();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM bulk ORDER BY row_id")) {
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int c = 1; c <= result.getMetaData().getColumnCount(); c++) {
          row.append(result.getString(c)).append('|');
        }
        stored.add(row.toString());
      }
    }
    return stored;
  }
}
