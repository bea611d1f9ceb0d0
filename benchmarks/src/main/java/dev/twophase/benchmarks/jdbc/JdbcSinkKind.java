package dev.twophase.benchmarks.jdbc;

import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.TransactionalJdbcSink;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.jdbc.JdbcConnectionOptions;
import org.apache.flink.connector.jdbc.JdbcExactlyOnceOptions;
import org.apache.flink.connector.jdbc.JdbcExecutionOptions;
import org.apache.flink.connector.jdbc.core.datastream.sink.JdbcSink;
import org.apache.flink.connector.jdbc.core.datastream.sink.JdbcSinkBuilder;
import org.postgresql.xa.PGXADataSource;

/**
 * The sinks compared: ours as it is by default. Flink's get rewritten batches, which triple their
 * rate; exactly-once wants no retries, and a connection per transaction on PostgreSQL.
 */
enum JdbcSinkKind {
  TWOPHASE {
    @Override
    Sink<Entry> sink(Database database) {
      return ours(database);
    }
  },
  TWOPHASE_MARIADB {
    @Override
    Sink<Entry> sink(Database database) {
      return ours(database);
    }

    @Override
    Database start() throws Exception {
      return Database.mariaDb();
    }
  },
  FLINK_EXACTLY_ONCE {
    @Override
    Sink<Entry> sink(Database database) {
      String url = database.url();
      String user = database.user();
      return flink(0)
          .buildExactlyOnce(
              JdbcExactlyOnceOptions.builder().withTransactionPerConnection(true).build(),
              () -> {
                PGXADataSource source = new PGXADataSource();
                source.setUrl(url);
                source.setUser(user);
                source.setReWriteBatchedInserts(true);
                return source;
              });
    }
  },
  FLINK_AT_LEAST_ONCE {
    @Override
    Sink<Entry> sink(Database database) {
      return flink(3)
          .buildAtLeastOnce(
              new JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
                  .withUrl(database.url() + "?reWriteBatchedInserts=true")
                  .withDriverName("org.postgresql.Driver")
                  .withUsername(database.user())
                  .withPassword("none")
                  .build());
    }
  };

  abstract Sink<Entry> sink(Database database);

  Database start() throws Exception {
    return Database.postgres();
  }

  private static Sink<Entry> ours(Database database) {
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
        .buildSink();
  }

  private static JdbcSinkBuilder<Entry> flink(int retries) {
    return JdbcSink.<Entry>builder()
        .withExecutionOptions(
            JdbcExecutionOptions.builder()
                .withBatchSize(5_000)
                .withBatchIntervalMs(0)
                .withMaxRetries(retries)
                .build())
        .withQueryStatement(
            "INSERT INTO " + Database.TABLE + " (id, content, fraction) VALUES (?, ?, ?)",
            (statement, entry) -> {
              statement.setLong(1, entry.id());
              statement.setString(2, entry.text());
              statement.setDouble(3, entry.fraction());
            });
  }
}
