package dev.twophase.jdbc.internal;

import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.internal.connect.ConnectionSource;
import dev.twophase.jdbc.internal.connect.Session;
import dev.twophase.jdbc.internal.ledger.SystemTables;
import dev.twophase.jdbc.internal.rows.Target;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * What the job author chose.
 *
 * @param source where connections come from
 * @param target where rows go
 * @param types of the values of the target's columns; {@code Object} where unknown
 * @param rowWriter turns records into rows
 * @param tables the sink's own
 * @param bufferLimit most bytes of a transaction that travel in its handle
 * @param blockBytes size of a block in memory and in the staging table; 0 for the database's own
 * @param bulkPath how rows reach the target
 * @param batchSize rows per batch where there are batches
 * @param lockTimeout how long to wait for locks of others
 * @param replyTimeout how long to wait for an answer of the database
 */
public record JdbcSettings<T>(
    ConnectionSource source,
    Target target,
    List<Class<?>> types,
    RowWriter<T> rowWriter,
    SystemTables tables,
    long bufferLimit,
    int blockBytes,
    BulkPath bulkPath,
    int batchSize,
    Duration lockTimeout,
    Duration replyTimeout)
    implements Serializable {

  /** One connection, opened when it is needed. */
  Session session() {
    return new Session(source, lockTimeout, replyTimeout);
  }
}
