package dev.twophase.benchmarks.jdbc;

import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.policy.SinkOptions;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.jdbc.JdbcConnectionOptions;
import org.apache.flink.connector.jdbc.JdbcExactlyOnceOptions;
import org.apache.flink.connector.jdbc.JdbcExecutionOptions;
import org.apache.flink.connector.jdbc.core.datastream.sink.JdbcSink;
import org.apache.flink.connector.jdbc.core.datastream.sink.JdbcSinkBuilder;
import org.postgresql.xa.PGXADataSource;

/**
 * The sinks compared. Flink's get rewritten batches, which triple their rate; exactly-once wants no
 * retries, and a connection per transaction on PostgreSQL.
 */
enum JdbcSinkKind {
  TWOPHASE {
    @Override
    Sink<Entry> sink(Database database) {
      return ours(database, LARGE_BUFFER);
    }
  },
  TWOPHASE_STAGED {
    @Override
    Sink<Entry> sink(Database database) {
      return ours(database, TransactionalJdbcSink.DEFAULT_BUFFER_LIMIT);
    }
  },
  TWOPHASE_MARIADB {
    @Override
    Sink<Entry> sink(Database database) {
      return ours(database, LARGE_BUFFER);
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

  private static final long LARGE_BUFFER = 256L << 20;

  abstract Sink<Entry> sink(Database database);

  Database start() throws Exception {
    return Database.postgres();
  }

  private static Sink<Entry> ours(Database database, long bufferLimit) {
    String user = database.user();
    return TransactionalJdbcSink.<Entry>builder()
        .name("benchmark")
        .url(database.url())
        .credentials(() -> new Credentials(user, "none"))
        .insertInto(Database.TABLE)
        .key("id", Entry::id)
        .column("content", Entry::text)
        .column("fraction", Entry::fraction)
        .bufferLimit(bufferLimit)
        .options(SinkOptions.defaults().withMaxPending(1_000, 1L << 30))
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
