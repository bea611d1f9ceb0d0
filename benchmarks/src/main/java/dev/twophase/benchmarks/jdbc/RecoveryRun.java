package dev.twophase.benchmarks.jdbc;

import dev.twophase.ConnectorContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.benchmarks.harness.NoTime;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.TransactionalJdbcSink;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.jspecify.annotations.Nullable;

/**
 * Commits what a crashed job had prepared, in order as C3 wants: ours by ledger, as a restored
 * committer hands it over, rows included; or prepared transactions of the database, whose rows are
 * there already, one by one, as there is no other way.
 */
public final class RecoveryRun implements Contender {

  static final String SECONDS = "seconds";

  private static final long EPOCHS = 1_000;
  private static final int ROWS_PER_EPOCH = 100;

  private boolean ours;
  private long epochs;
  private @Nullable Database database;

  @Override
  public void open(String variant, Path directory, double scale) throws Exception {
    ours = variant.equals("LEDGER");
    epochs = RunSettings.scaled(EPOCHS, scale);
    database = Database.postgres();
  }

  @Override
  public Measurement round() throws Exception {
    if (database == null) {
      throw new IllegalStateException("Not opened");
    }
    database.createTable();
    double seconds = ours ? byLedger(database, connector(database)) : byPrepared(database);
    database.require(epochs * ROWS_PER_EPOCH);
    database.leaveNothingToDo();
    return new Measurement(Map.of(SECONDS, seconds));
  }

  private static TransactionalConnector<Entry, ?, ?> connector(Database database) {
    String user = database.user();
    return TransactionalJdbcSink.<Entry>builder()
        .name("benchmark")
        .url(database.url())
        .credentials(() -> new Credentials(user, "none"))
        .insertInto(Database.TABLE)
        .key("id", Entry::id)
        .column("content", Entry::text)
        .column("fraction", Entry::fraction)
        .createTables()
        .buildConnector();
  }

  private <T, H> double byLedger(Database at, TransactionalConnector<Entry, T, H> connector)
      throws Exception {
    createLedger(at);
    UUID nonce = UUID.randomUUID();
    List<PreparedTransaction<H>> prepared = new ArrayList<>();
    connector.open(new Context(nonce));
    for (long epoch = 0; epoch < epochs; epoch++) {
      TransactionId id = new TransactionId("benchmark", 0, epoch, nonce);
      T transaction = connector.begin(id);
      for (long row = 0; row < ROWS_PER_EPOCH; row++) {
        connector.write(transaction, Entry.of(epoch * ROWS_PER_EPOCH + row), NoTime.INSTANCE);
      }
      Optional<H> handle = connector.preCommit(transaction);
      prepared.add(new PreparedTransaction<>(id, epoch + 1, 0, 0, 1, handle, List.of()));
    }
    connector.close();
    connector.open(new Context(UUID.randomUUID()));
    long start = System.nanoTime();
    List<PreparedTransaction<H>> left = prepared;
    while (!left.isEmpty()) {
      left = left.subList(connector.commitAll(left).size(), left.size());
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    connector.close();
    return seconds;
  }

  /** As preflight would: this is measured without a job. */
  private static void createLedger(Database at) throws SQLException {
    try (Connection connection = at.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE twophase_ledger (sink VARCHAR(100), subtask INTEGER, nonce VARCHAR(32),"
              + " since BIGINT, seq BIGINT, pruned BIGINT, row_count BIGINT,"
              + " PRIMARY KEY (sink, subtask, nonce), UNIQUE (sink, subtask, seq))");
    }
  }

  private double byPrepared(Database at) throws SQLException {
    try (Connection connection = at.connect();
        Statement statement = connection.createStatement()) {
      for (long epoch = 0; epoch < epochs; epoch++) {
        statement.execute("BEGIN");
        insert(connection, epoch);
        statement.execute("PREPARE TRANSACTION 'epoch" + epoch + "'");
      }
    }
    long start = System.nanoTime();
    try (Connection connection = at.connect();
        Statement statement = connection.createStatement()) {
      for (long epoch = 0; epoch < epochs; epoch++) {
        statement.execute("COMMIT PREPARED 'epoch" + epoch + "'");
      }
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static void insert(Connection connection, long epoch) throws SQLException {
    String sql = "INSERT INTO " + Database.TABLE + " (id, content, fraction) VALUES (?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (long row = 0; row < ROWS_PER_EPOCH; row++) {
        Entry entry = Entry.of(epoch * ROWS_PER_EPOCH + row);
        insert.setLong(1, entry.id());
        insert.setString(2, entry.text());
        insert.setDouble(3, entry.fraction());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @Override
  public void close() throws Exception {
    if (database != null) {
      database.close();
    }
  }

  private record Context(UUID attemptNonce) implements ConnectorContext {

    @Override
    public Role role() {
      return Role.WRITER;
    }

    @Override
    public String sinkName() {
      return "benchmark";
    }

    @Override
    public int subtask() {
      return 0;
    }

    @Override
    public int parallelism() {
      return 1;
    }

    @Override
    public DeliveryGuarantee guarantee() {
      return DeliveryGuarantee.EXACTLY_ONCE;
    }

    @Override
    public MetricGroup metrics() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public Counter bytesSent() {
      return new SimpleCounter();
    }

    @Override
    public ClassLoader userClassLoader() {
      return RecoveryRun.class.getClassLoader();
    }
  }
}
