package dev.twophase.known;

import dev.twophase.testkit.Faults;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.jdbc.JdbcExactlyOnceOptions;
import org.apache.flink.connector.jdbc.JdbcExecutionOptions;
import org.apache.flink.connector.jdbc.core.datastream.sink.JdbcSink;
import org.postgresql.xa.PGXADataSource;

/** A table, a data source, a query: no more is told to the kit of flink-connector-jdbc. */
final class JdbcSinkUnderTest implements SinkUnderTest<TestRecord> {

  private final PostgresServer server;
  private final Connection connection;

  JdbcSinkUnderTest(PostgresServer server) throws SQLException {
    this.server = server;
    this.connection = server.connect();
  }

  // tag::jdbc[]
  @Override
  public Object sink(SinkSetup setup) throws SQLException {
    String table = '"' + setup.namespace() + '"';
    execute("CREATE TABLE " + table + " (id BIGINT, k TEXT, position BIGINT)");
    String url = server.url();
    String user = server.user();
    Faults faults = setup.faults();
    return JdbcSink.<TestRecord>builder()
        .withExecutionOptions(JdbcExecutionOptions.builder().withMaxRetries(0).build())
        .withQueryStatement(
            "INSERT INTO " + table + " VALUES (?, ?, ?)",
            (statement, record) -> {
              statement.setLong(1, record.id());
              statement.setString(2, record.key());
              statement.setLong(3, record.sequence());
            })
        .buildExactlyOnce(
            JdbcExactlyOnceOptions.builder().withTransactionPerConnection(true).build(),
            () -> {
              PGXADataSource source = new PGXADataSource();
              source.setUrl(url);
              source.setUser(user);
              return faults.aroundDataSource(source);
            });
  }

  @Override
  public TestRecord input(TestRecord record) {
    return record;
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws SQLException {
    List<TestRecord> records = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM \"" + namespace + '"')) {
      while (result.next()) {
        records.add(new TestRecord(result.getLong(1), result.getString(2), result.getLong(3)));
      }
    }
    return records;
  }

  // end::jdbc[]

  /**
   * Each run makes the same names of transactions: what one left would be in the next one's way.
   */
  @Override
  public void cleanUp(String namespace) throws SQLException {
    List<String> left = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT gid FROM pg_prepared_xacts")) {
      while (result.next()) {
        left.add(result.getString(1));
      }
    }
    for (String transaction : left) {
      execute("ROLLBACK PREPARED '" + transaction + "'");
    }
    execute("DROP TABLE \"" + namespace + '"');
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
