package dev.twophase.jdbc.internal;

import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.internal.connect.ConnectionSource;
import dev.twophase.jdbc.internal.ledger.SystemTables;
import dev.twophase.jdbc.internal.rows.Target;
import java.io.Serializable;

/**
 * What the job author chose.
 *
 * @param source where connections come from
 * @param target where rows go
 * @param rowWriter turns records into rows
 * @param tables the sink's own
 * @param bufferLimit most bytes of a transaction that travel in its handle
 * @param bulkPath how rows reach the target
 * @param batchSize rows per batch where there are batches
 */
public record JdbcSettings<T>(
    ConnectionSource source,
    Target target,
    RowWriter<T> rowWriter,
    SystemTables tables,
    long bufferLimit,
    BulkPath bulkPath,
    int batchSize)
    implements Serializable {}
