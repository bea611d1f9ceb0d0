package dev.twophase.jdbc.internal.ledger;

import dev.twophase.CommitOutcome;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.internal.connect.Session;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits prepared transactions: key, rows and clean-up in one local transaction. */
public final class LedgerCommitter {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerCommitter.class);

  private final Session session;
  private final SystemTables tables;
  private final String sinkName;
  private final boolean exactlyOnce;
  private final BulkPath bulkPath;
  private final int batchSize;

  /**
   * @param exactlyOnce whether to keep a ledger
   */
  public LedgerCommitter(
      Session session,
      SystemTables tables,
      String sinkName,
      boolean exactlyOnce,
      BulkPath bulkPath,
      int batchSize) {
    this.session = session;
    this.tables = tables;
    this.sinkName = sinkName;
    this.exactlyOnce = exactlyOnce;
    this.bulkPath = bulkPath;
    this.batchSize = batchSize;
  }

  /** What ends a local transaction in which rows were applied. */
  @FunctionalInterface
  public interface Ending {
    void end(Connection connection) throws SQLException;
  }

  /** Commits one transaction. */
  public CommitOutcome commit(TransactionId id, JdbcHandle handle) throws Exception {
    return apply(id, handle, connection -> {});
  }

  /**
   * Takes the key and brings the rows in; one at a time, so that each that is refused can be named
   * or put aside, if the target refuses them together.
   *
   * @param ending called if rows were applied, before the connection's transaction is committed
   */
  public CommitOutcome apply(TransactionId id, JdbcHandle handle, Ending ending) throws Exception {
    try {
      return session.inTransaction(
          (connection, dialect) -> {
            CommitOutcome outcome = apply(connection, dialect, id, handle);
            if (outcome.equals(CommitOutcome.committed())) {
              ending.end(connection);
            }
            return outcome;
          });
    } catch (StagedRowsGoneException gone) {
      return CommitOutcome.lost(gone.evidence());
    } catch (SQLException error) {
      SQLException decisive = mostTelling(error);
      if (!session.dialect().isPermanent(decisive)) {
        throw error;
      }
      RowDiagnosis diagnosis = new RowDiagnosis(tables, sinkName, decisive);
      return session.inTransaction(
          (connection, dialect) -> {
            Optional<CommitOutcome> known = claim(connection, dialect, id, handle);
            if (known.isPresent()) {
              return known.get();
            }
            Staging staging = new Staging(dialect, tables, sinkName);
            diagnosis.applyRowByRow(
                connection, dialect, id, handle, staging.blocks(connection, id, handle));
            staging.delete(connection, id);
            ending.end(connection);
            return CommitOutcome.committed();
          });
    }
  }

  /**
   * Commits transactions of different subtasks, all in one local transaction while nothing goes
   * wrong, else one by one.
   */
  public List<CommitOutcome> commitAll(List<PreparedTransaction<JdbcHandle>> transactions)
      throws Exception {
    if (transactions.size() > 1) {
      try {
        return session.inTransaction(
            (connection, dialect) -> applyAll(connection, dialect, transactions));
      } catch (SQLException | StagedRowsGoneException error) {
        LOG.info("Sink '{}' commits transactions one by one after an error", sinkName, error);
      }
    }
    List<CommitOutcome> outcomes = new ArrayList<>();
    for (PreparedTransaction<JdbcHandle> each : transactions) {
      outcomes.add(commit(each.id(), each.handle().orElseThrow()));
    }
    return outcomes;
  }

  private List<CommitOutcome> applyAll(
      Connection connection, Dialect dialect, List<PreparedTransaction<JdbcHandle>> transactions)
      throws Exception {
    List<CommitOutcome> outcomes = new ArrayList<>();
    for (PreparedTransaction<JdbcHandle> each : transactions) {
      outcomes.add(apply(connection, dialect, each.id(), each.handle().orElseThrow()));
    }
    return outcomes;
  }

  /** Whether the ledger has this transaction or a later one of its attempt. */
  public boolean isCommitted(TransactionId id) throws Exception {
    return session.inTransaction(
        (connection, dialect) -> new Ledger(dialect, tables, sinkName).isCommitted(connection, id));
  }

  /**
   * Takes the key and brings the rows in, within the connection's open transaction.
   *
   * @throws StagedRowsGoneException if they are lost; the transaction must then be rolled back
   */
  private CommitOutcome apply(
      Connection connection, Dialect dialect, TransactionId id, JdbcHandle handle)
      throws Exception {
    Optional<CommitOutcome> known = claim(connection, dialect, id, handle);
    if (known.isPresent()) {
      return known.get();
    }
    Staging staging = new Staging(dialect, tables, sinkName);
    if (handle.stagedBlocks() > 0) {
      int found = staging.count(connection, id);
      if (found != handle.stagedBlocks()) {
        throw new StagedRowsGoneException(
            found
                + " of "
                + handle.stagedBlocks()
                + " blocks of rows are in "
                + tables.stagingName(dialect)
                + ", and the ledger has no commit");
      }
    }
    dialect
        .loader(handle.target(), bulkPath, batchSize, handle.rows())
        .load(connection, handle.target(), staging.blocks(connection, id, handle));
    if (handle.stagedBlocks() > 0) {
      staging.delete(connection, id);
    }
    return CommitOutcome.committed();
  }

  private Optional<CommitOutcome> claim(
      Connection connection, Dialect dialect, TransactionId id, JdbcHandle handle)
      throws Exception {
    return exactlyOnce
        ? new Ledger(dialect, tables, sinkName).claim(connection, id, handle)
        : Optional.empty();
  }

  /** Drivers hide what the server said behind a summary of the batch. */
  private static SQLException mostTelling(SQLException error) {
    SQLException telling = error;
    while (telling.getNextException() != null) {
      telling = telling.getNextException();
    }
    return telling;
  }
}
