package dev.twophase.jdbc;

import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.jdbc.internal.JdbcSettings;
import dev.twophase.jdbc.internal.LedgerConnector;
import dev.twophase.jdbc.internal.XaConnector;
import dev.twophase.jdbc.internal.connect.ConnectionSource;
import dev.twophase.jdbc.internal.connect.PooledSource;
import dev.twophase.jdbc.internal.connect.UrlSource;
import dev.twophase.jdbc.internal.ledger.SystemTables;
import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.util.function.SerializableFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to a database, exactly once. The rows of a checkpoint appear when it is complete,
 * all those of a subtask at once, in one local transaction together with a row of the
 * <em>ledger</em> that proves it. Between checkpoint and commit nothing is locked. Any database
 * with local transactions will do; PostgreSQL, MariaDB, MySQL, Derby and H2 are known by name.
 *
 * <pre>{@code
 * TransactionalJdbcSink.<Order>builder()
 *     .name("orders")
 *     .url("jdbc:postgresql://db/shop")
 *     .credentials(() -> new Credentials("app", System.getenv("DB_PASSWORD")))
 *     .upsertInto("orders")
 *     .key("id", Order::id)
 *     .column("amount", Order::amount)
 *     .createTables()
 *     .buildSink();
 * }</pre>
 *
 * <p>Names of tables and columns are taken exactly as given, and quoted. Several sinks and jobs may
 * share ledger and target if their names differ.
 *
 * <p>Not thread-safe; may be used again, for instance under another name.
 *
 * @param <T> type of the records
 */
public final class TransactionalJdbcSink<T> {

  /** Default of {@link #bufferLimit}: 4 MiB, which fits into any checkpoint storage. */
  public static final long DEFAULT_BUFFER_LIMIT = 4L << 20;

  /** Default of {@link #batchSize}. */
  public static final int DEFAULT_BATCH_SIZE = 1_000;

  /** Default of {@link #lockTimeout}: 10 s. */
  public static final Duration DEFAULT_LOCK_TIMEOUT = Duration.ofSeconds(10);

  /** Default of {@link #replyTimeout}: two minutes. */
  public static final Duration DEFAULT_REPLY_TIMEOUT = Duration.ofMinutes(2);

  /** Default of {@link #ledgerTable}. */
  public static final String DEFAULT_LEDGER_TABLE = "twophase_ledger";

  private String name = "";
  private @Nullable DataSourceFactory dataSource;
  private String url = "";
  private CredentialsSupplier credentials = () -> new Credentials("", "");
  private final TargetRows<T> rows = new TargetRows<>();
  private String ledgerSchema = "";
  private String ledgerTable = DEFAULT_LEDGER_TABLE;
  private String stagingTable = "";
  private String deadLetterTable = "";
  private boolean createTables;
  private long bufferLimit = DEFAULT_BUFFER_LIMIT;
  private int blockBytes;
  private BulkPath bulkPath = BulkPath.AUTO;
  private int batchSize = DEFAULT_BATCH_SIZE;
  private Duration lockTimeout = DEFAULT_LOCK_TIMEOUT;
  private Duration replyTimeout = DEFAULT_REPLY_TIMEOUT;
  private CommitMode mode = CommitMode.LEDGER;
  private SinkOptions options = SinkOptions.defaults();

  private TransactionalJdbcSink() {}

  /** Begins with nothing set. */
  public static <T> TransactionalJdbcSink<T> builder() {
    return new TransactionalJdbcSink<>();
  }

  /**
   * Sets the sink's name, which must not change between restores: required.
   *
   * @throws IllegalArgumentException if it is not valid by {@link TransactionId#checkSinkName}
   */
  public TransactionalJdbcSink<T> name(String value) {
    name = TransactionId.checkSinkName(given("name", value));
    return this;
  }

  /** Sets where connections come from, instead of {@link #url}. */
  public TransactionalJdbcSink<T> dataSource(DataSourceFactory value) {
    dataSource = given("dataSource", value);
    url = "";
    return this;
  }

  /**
   * Sets the driver's address of the database, instead of {@link #dataSource}.
   *
   * @throws IllegalArgumentException if it seems to hold a password; use {@link #credentials}
   */
  public TransactionalJdbcSink<T> url(String value) {
    url = UrlSource.checkedUrl(given("url", value));
    dataSource = null;
    return this;
  }

  /** Sets who connects to the {@link #url}; default nobody, as drivers do for empty names. */
  public TransactionalJdbcSink<T> credentials(CredentialsSupplier value) {
    credentials = given("credentials", value);
    return this;
  }

  /**
   * Inserts each record as a row; one that is there already fails the job. Of {@code insertInto},
   * {@link #upsertInto}, {@link #deleteFrom} and {@link #sql} the last one called counts.
   */
  public TransactionalJdbcSink<T> insertInto(String table) {
    rows.into(Operation.INSERT, "", table);
    return this;
  }

  /** The same in another schema than the connection's own. */
  public TransactionalJdbcSink<T> insertInto(String schema, String table) {
    rows.into(Operation.INSERT, schema, table);
    return this;
  }

  /** Inserts each record as a row, or replaces the columns of the row with the same key. */
  public TransactionalJdbcSink<T> upsertInto(String table) {
    rows.into(Operation.UPSERT, "", table);
    return this;
  }

  /** The same in another schema than the connection's own. */
  public TransactionalJdbcSink<T> upsertInto(String schema, String table) {
    rows.into(Operation.UPSERT, schema, table);
    return this;
  }

  /** Deletes the row with the key of each record, if there is one. */
  public TransactionalJdbcSink<T> deleteFrom(String table) {
    rows.into(Operation.DELETE, "", table);
    return this;
  }

  /** The same in another schema than the connection's own. */
  public TransactionalJdbcSink<T> deleteFrom(String schema, String table) {
    rows.into(Operation.DELETE, schema, table);
    return this;
  }

  /**
   * Runs a statement of your own for each record, instead of the three above. It must act on data
   * only: no DDL, no transaction control, none that commits by itself, or runs in no transaction.
   *
   * @param statement one, with a {@code ?} for each parameter
   * @throws IllegalArgumentException if it is empty, more than one, or of another kind
   */
  public TransactionalJdbcSink<T> sql(String statement, ParameterBinder<T> value) {
    rows.by(statement, value);
    return this;
  }

  /** Adds a column of the key; for an insert, a column that must not be null. */
  public TransactionalJdbcSink<T> key(String column, ColumnValue<T> value) {
    rows.key(column, value);
    return this;
  }

  /** Adds a column. */
  public TransactionalJdbcSink<T> column(String column, ColumnValue<T> value) {
    rows.column(column, value);
    return this;
  }

  /** Makes records for which this is true delete their row; only for {@link #upsertInto}. */
  public TransactionalJdbcSink<T> deleteWhen(SerializableFunction<T, Boolean> value) {
    rows.deleteWhen(value);
    return this;
  }

  /** Sets the ledger's name; default {@value #DEFAULT_LEDGER_TABLE}. */
  public TransactionalJdbcSink<T> ledgerTable(String value) {
    ledgerTable = notEmpty("ledgerTable", value);
    return this;
  }

  /** Sets the schema of the sink's own tables; default the connection's. */
  public TransactionalJdbcSink<T> ledgerSchema(String value) {
    ledgerSchema = notEmpty("ledgerSchema", value);
    return this;
  }

  /**
   * Sets the name of the table for transactions larger than the {@link #bufferLimit}; default the
   * ledger's name with {@code _staging}.
   */
  public TransactionalJdbcSink<T> stagingTable(String value) {
    stagingTable = notEmpty("stagingTable", value);
    return this;
  }

  /**
   * Puts rows that the target refuses into this table and goes on, in the same transaction; by
   * default they fail the job.
   */
  public TransactionalJdbcSink<T> deadLetterTable(String value) {
    deadLetterTable = notEmpty("deadLetterTable", value);
    return this;
  }

  /**
   * Creates the sink's own tables where they are missing. By default the job is then refused and
   * says how to create them.
   */
  public TransactionalJdbcSink<T> createTables() {
    createTables = true;
    return this;
  }

  /**
   * Sets how many bytes of a transaction travel in the checkpoint; what is more is written to the
   * staging table. Default {@value #DEFAULT_BUFFER_LIMIT}. More spares the database a write and a
   * read, and burdens heap and checkpoints with about ten copies; the checkpoint storage must take
   * it, and {@link SinkOptions#maxPendingBytes} be larger.
   */
  public TransactionalJdbcSink<T> bufferLimit(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("bufferLimit is " + value + ": use 0 or more");
    }
    bufferLimit = value;
    return this;
  }

  /** For tests: smaller blocks. */
  TransactionalJdbcSink<T> blockBytes(int value) {
    blockBytes = value;
    return this;
  }

  /** Sets how rows reach the target; default {@link BulkPath#AUTO}. */
  public TransactionalJdbcSink<T> bulkPath(BulkPath value) {
    bulkPath = given("bulkPath", value);
    return this;
  }

  /** Sets the number of rows per batch; default {@value #DEFAULT_BATCH_SIZE}. */
  public TransactionalJdbcSink<T> batchSize(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("batchSize is " + value + ": use at least 1");
    }
    batchSize = value;
    return this;
  }

  /**
   * Sets how long a statement waits for locks of others before the commit is tried again; default
   * 10 s. After twice that the database ends a transaction of this sink whose process is frozen,
   * where it can: PostgreSQL and MariaDB. Keep both well below {@link SinkOptions#commitTimeout}.
   *
   * @throws IllegalArgumentException if it is below one second or above a day
   */
  public TransactionalJdbcSink<T> lockTimeout(Duration value) {
    lockTimeout = secondsToADay("lockTimeout", value);
    return this;
  }

  /**
   * Sets how long a statement may go without an answer before the connection is given up, the
   * outcome counts as unknown, and the commit is tried again; default two minutes. More than its
   * longest statement takes, and than {@link #lockTimeout}. One set by URL or data source stays.
   *
   * @throws IllegalArgumentException if it is below one second or above a day
   */
  public TransactionalJdbcSink<T> replyTimeout(Duration value) {
    replyTimeout = secondsToADay("replyTimeout", value);
    return this;
  }

  private static Duration secondsToADay(String setting, Duration value) {
    if (given(setting, value).toSeconds() < 1 || value.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          setting + " is " + value + ": use a second at least and a day at most");
    }
    return value;
  }

  /**
   * Sets where rows wait for their commit; default {@link CommitMode#LEDGER}. Under any guarantee
   * but EXACTLY_ONCE nothing waits, and it does not matter.
   */
  public TransactionalJdbcSink<T> mode(CommitMode value) {
    mode = given("mode", value);
    return this;
  }

  /** Sets guarantee, time limits and policies; default {@link SinkOptions#defaults()}. */
  public TransactionalJdbcSink<T> options(SinkOptions value) {
    options = given("options", value);
    return this;
  }

  /**
   * Makes the sink, for {@code stream.sinkTo(sink).uid("...")}.
   *
   * @throws IllegalStateException if something is missing or does not fit together
   */
  public TransactionalSink<T, ?, ?> buildSink() {
    return TransactionalSink.of(checkedName(), buildConnector(), options);
  }

  /**
   * Makes the sink for Flink's older API, for {@link TransactionalSinkFunction#addTo}.
   *
   * @throws IllegalStateException if something is missing or does not fit together
   */
  public TransactionalSinkFunction<T> buildFunction() {
    return TransactionalSinkFunction.of(checkedName(), buildConnector(), options);
  }

  /**
   * The connector alone, for the adapters and the test kit.
   *
   * @throws IllegalStateException if something is missing or does not fit together
   */
  public TransactionalConnector<T, ?, ?> buildConnector() {
    checkedName();
    Target target = rows.target();
    checkLimits();
    JdbcSettings<T> settings =
        new JdbcSettings<>(
            source(),
            target,
            rows.types(),
            rows.writer(),
            systemTables(target),
            bufferLimit,
            blockBytes,
            bulkPath,
            batchSize,
            lockTimeout,
            replyTimeout);
    boolean exactlyOnce = options.guarantee() == DeliveryGuarantee.EXACTLY_ONCE;
    return mode == CommitMode.XA && exactlyOnce
        ? new XaConnector<>(settings)
        : new LedgerConnector<>(settings);
  }

  private void checkLimits() {
    if (bufferLimit > options.maxPendingBytes()) {
      throw new IllegalStateException(
          "bufferLimit is "
              + bufferLimit
              + ", more than may be pending: raise SinkOptions.maxPendingBytes, which is "
              + options.maxPendingBytes());
    }
    if (replyTimeout.compareTo(lockTimeout) <= 0) {
      throw new IllegalStateException(
          "replyTimeout is "
              + replyTimeout
              + ", and a statement may wait that long for a lock: use more than lockTimeout, which"
              + " is "
              + lockTimeout);
    }
    if (lockTimeout.compareTo(options.commitTimeout()) > 0) {
      throw new IllegalStateException(
          "lockTimeout is "
              + lockTimeout
              + ", so that one lock of somebody else's may end the job: use less than"
              + " SinkOptions.commitTimeout, which is "
              + options.commitTimeout());
    }
  }

  private SystemTables systemTables(Target target) {
    SystemTables tables =
        new SystemTables(
            ledgerSchema,
            ledgerTable,
            stagingTable.isEmpty() ? ledgerTable + "_staging" : stagingTable,
            deadLetterTable,
            createTables);
    List<String> names = new ArrayList<>(tables.names());
    if (target.schema().equals(ledgerSchema)) {
      names.add(target.table());
    }
    for (String each : names) {
      if (names.indexOf(each) != names.lastIndexOf(each)) {
        throw new IllegalStateException(
            "Table '"
                + each
                + "' is to be two things at once: give target, ledgerTable, stagingTable and"
                + " deadLetterTable names of their own");
      }
    }
    return tables;
  }

  private String checkedName() {
    if (name.isEmpty()) {
      throw new IllegalStateException("Set the sink's name: name(\"...\")");
    }
    return name;
  }

  private ConnectionSource source() {
    if (dataSource != null) {
      return new PooledSource(dataSource);
    }
    if (url.isEmpty()) {
      throw new IllegalStateException("Say where the database is: url(...) or dataSource(...)");
    }
    return new UrlSource(url, credentials, replyTimeout);
  }

  static <V> V given(String setting, V value) {
    return Objects.requireNonNull(value, () -> setting + " is null: give it a value");
  }

  static String notEmpty(String setting, String value) {
    if (given(setting, value).isEmpty()) {
      throw new IllegalArgumentException(setting + " is empty: name one");
    }
    return value;
  }
}
