package dev.twophase.jdbc.contract;

import dev.twophase.jdbc.SmallBlocks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.ExactlyOnceSinkContract;
import dev.twophase.testkit.Faults;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.jdbc.DatabaseServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;

/** The sink under the kit; every call of JDBC that reaches the database is a fault point. */
public abstract class JdbcSinkContract extends ExactlyOnceSinkContract<TestRecord> {

  private static final Map<String, DataSource> SOURCES = new ConcurrentHashMap<>();

  protected abstract DatabaseServer server();

  /** Of a column that numbers rows in the order in which they come. */
  protected abstract String serialType();

  @BeforeEach
  protected void createTarget() throws SQLException {
    DatabaseServer server = server();
    SOURCES.put(server.url(), new RecycledConnections(server.url(), server.user()));
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS seen",
        "CREATE TABLE seen (place "
            + serialType()
            + " PRIMARY KEY, run VARCHAR(40), id BIGINT, k VARCHAR(20), position BIGINT)",
        "CREATE INDEX seen_run ON seen (run)");
  }

  /** Of two records of a transaction, both are staged; one alone travels in its handle. */
  protected final TransactionalJdbcSink<TestRecord> configuredAlone(SinkSetup setup) {
    String url = server().url();
    Faults faults = setup.faults();
    return SmallBlocks.of(1, TransactionalJdbcSink.<TestRecord>builder())
        .name(setup.sinkName())
        .dataSource(() -> faults.aroundDataSource(SOURCES.get(url)))
        .options(setup.options())
        .createTables()
        .bufferLimit(60);
  }

  /** The same with what is done with the records. */
  protected TransactionalJdbcSink<TestRecord> configured(SinkSetup setup) {
    String run = setup.namespace();
    return configuredAlone(setup)
        .insertInto("seen")
        .key("run", record -> run)
        .column("id", TestRecord::id)
        .column("k", TestRecord::key)
        .column("position", TestRecord::sequence);
  }

  /** A server with threads and a clock of its own. */
  @Override
  public boolean realServers() {
    return true;
  }

  /** Sinks of several jobs share target, ledger and staging table; rows here tell which run. */
  @Override
  public boolean toleratesNeighbours() {
    return true;
  }

  /**
   * One checkpoint, so that it ends by itself in the time there is; the nightly run exhausts two.
   */
  @Override
  protected Bound bound() {
    return oneFault(1, Duration.ofMinutes(1));
  }

  /** In place of the default; the nightly run exhausts one fault whatever is asked for here. */
  protected static Bound oneFault(int checkpoints, Duration budget) {
    return oneFault(2, checkpoints, budget);
  }

  /**
   * For what differs little from a contract beside it, which has two subtasks in every build.
   *
   * @param parallelism at the start; it changes to others all the same
   */
  protected static Bound oneFault(int parallelism, int checkpoints, Duration budget) {
    Bound bound = Bound.ofProfile();
    return bound.equals(Bound.oneFault())
        ? bound.withParallelism(parallelism).withCheckpoints(checkpoints).withBudget(budget)
        : Bound.oneFault().withBudget(bound.budget());
  }

  @Override
  public int concurrentRuns() {
    return 4;
  }

  @Override
  public TestRecord input(TestRecord record) {
    return record;
  }

  @Override
  public SinkClaims claims() {
    return SinkClaims.exactlyOnce().withOrder(OrderScope.KEY);
  }

  /** A query for id, key and position of what a run has made visible, in the order of writing. */
  protected String visibleSql() {
    return "SELECT id, k, position FROM seen WHERE run=? ORDER BY place";
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws Exception {
    List<TestRecord> records = new ArrayList<>();
    try (Connection connection = SOURCES.get(server().url()).getConnection();
        PreparedStatement statement = connection.prepareStatement(visibleSql())) {
      statement.setString(1, namespace);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          records.add(new TestRecord(result.getLong(1), result.getString(2), result.getLong(3)));
        }
      }
    }
    return records;
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) throws Exception {
    List<String> staged = new ArrayList<>();
    try (Connection connection = SOURCES.get(server().url()).getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT transaction_id FROM " + staging() + " WHERE sink=?")) {
      statement.setString(1, namespace);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          staged.add(result.getString(1));
        }
      }
    } catch (SQLException error) {
      if (!error.getSQLState().startsWith("42")) {
        throw error;
      }
      // No attempt has come so far as to create the table.
    }
    return Optional.of(staged);
  }

  private static String staging() {
    return TransactionalJdbcSink.DEFAULT_LEDGER_TABLE + "_staging";
  }
}
