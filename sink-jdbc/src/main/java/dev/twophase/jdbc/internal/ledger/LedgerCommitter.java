package dev.twophase.jdbc.internal.ledger;

import dev.twophase.CommitOutcome;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.internal.connect.Session;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.ledger.Epochs.Epoch;
import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits prepared transactions: key, rows and clean-up in one local transaction. */
public final class LedgerCommitter {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerCommitter.class);

  private final Session session;
  private final Session reader;
  private final SystemTables tables;
  private final String sinkName;
  private final boolean exactlyOnce;
  private final BulkPath bulkPath;
  private final int batchSize;

  /**
   * @param reader reads staged rows while the session writes them, where that is faster
   * @param exactlyOnce whether to keep a ledger
   */
  public LedgerCommitter(
      Session session,
      Session reader,
      SystemTables tables,
      String sinkName,
      boolean exactlyOnce,
      BulkPath bulkPath,
      int batchSize) {
    this.session = session;
    this.reader = reader;
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
    AtomicBoolean allIn = new AtomicBoolean();
    try {
      return session.inTransaction(
          (connection, dialect) -> {
            CommitOutcome outcome = apply(connection, dialect, Epochs.of(id, handle));
            allIn.set(true);
            if (outcome.equals(CommitOutcome.committed())) {
              ending.end(connection);
            }
            return outcome;
          });
    } catch (StagedRowsGoneException gone) {
      // Without a ledger: they go with the commit, in one local transaction, and all at once.
      if (!exactlyOnce && gone.all()) {
        return CommitOutcome.alreadyCommitted();
      }
      return lost(id, gone.evidence());
    } catch (SQLException error) {
      SQLException decisive = mostTelling(error);
      if (!session.dialect().isPermanent(decisive)) {
        throw error;
      }
      RowDiagnosis diagnosis = new RowDiagnosis(tables, sinkName, decisive, allIn.get());
      return session.inTransaction(
          (connection, dialect) -> {
            Optional<CommitOutcome> known = claim(connection, dialect, Epochs.of(id, handle));
            if (known.isPresent()) {
              return known.get();
            }
            Staging staging = new Staging(dialect, tables, sinkName);
            diagnosis.applyRowByRow(
                connection,
                dialect,
                id,
                handle,
                staging.blocks(reads(connection, dialect), id, handle));
            staging.delete(connection, id);
            ending.end(connection);
            return CommitOutcome.committed();
          });
    }
  }

  /**
   * Commits the first few of these, which of each subtask are in the order of their checkpoints: in
   * one local transaction while nothing goes wrong, else one by one, and none behind one that is
   * lost or superseded (C3).
   *
   * @return the outcomes of those
   */
  public List<CommitOutcome> commitFirst(List<PreparedTransaction<JdbcHandle>> transactions)
      throws Exception {
    List<PreparedTransaction<JdbcHandle>> first = Epochs.first(transactions);
    if (first.size() > 1) {
      try {
        return session.inTransaction((connection, dialect) -> applyAll(connection, dialect, first));
      } catch (SQLException | StagedRowsGoneException error) {
        LOG.info("Sink '{}' commits transactions one by one after an error", sinkName, error);
      }
    }
    List<CommitOutcome> outcomes = new ArrayList<>();
    for (PreparedTransaction<JdbcHandle> each : first) {
      CommitOutcome outcome = commit(each.id(), each.handle().orElseThrow());
      outcomes.add(outcome);
      if (!isIn(outcome)) {
        break;
      }
    }
    return outcomes;
  }

  private static boolean isIn(CommitOutcome outcome) {
    return outcome.equals(CommitOutcome.committed())
        || outcome.equals(CommitOutcome.alreadyCommitted());
  }

  /** All in the connection's open transaction; those of an attempt as if they were one. */
  private List<CommitOutcome> applyAll(
      Connection connection, Dialect dialect, List<PreparedTransaction<JdbcHandle>> transactions)
      throws Exception {
    Map<TransactionId, CommitOutcome> outcomes = new HashMap<>();
    for (Epochs attempt : Epochs.byAttempt(transactions)) {
      int done = 0;
      while (done < attempt.epochs().size()) {
        Epochs open = attempt.from(done);
        CommitOutcome outcome = apply(connection, dialect, open);
        if (!isIn(outcome)) {
          throw new SQLTransientException("One of several transactions is " + outcome);
        }
        int told = outcome.equals(CommitOutcome.committed()) ? open.epochs().size() : 1;
        open.epochs().subList(0, told).forEach(each -> outcomes.put(each.id(), outcome));
        done += told;
      }
    }
    return transactions.stream().map(each -> outcomes.get(each.id())).toList();
  }

  /** Whether a prepared transaction belongs to a line that was left; empty if not. */
  public Optional<CommitOutcome> judgeLine(TransactionId id, JdbcHandle handle) throws Exception {
    return session.inTransaction(
        (connection, dialect) ->
            new Ledger(dialect, tables, sinkName).judgeLine(connection, id, handle));
  }

  /** Whether the ledger has this transaction or a later one of its attempt. */
  public boolean isCommitted(TransactionId id, JdbcHandle handle) throws Exception {
    return session.inTransaction(
        (connection, dialect) ->
            new Ledger(dialect, tables, sinkName).isCommitted(connection, id, handle));
  }

  /** That a transaction is lost, once that is noted. */
  public CommitOutcome lost(TransactionId id, String evidence) throws Exception {
    if (exactlyOnce) {
      session.doInTransaction(
          (connection, dialect) -> new Ledger(dialect, tables, sinkName).noteLoss(connection, id));
    }
    return CommitOutcome.lost(evidence);
  }

  /**
   * Takes the key and brings the rows in, within the connection's open transaction.
   *
   * @return committed if that was done for all; else what is known of the first
   * @throws StagedRowsGoneException if they are lost; the transaction must then be rolled back
   */
  private CommitOutcome apply(Connection connection, Dialect dialect, Epochs epochs)
      throws Exception {
    Optional<CommitOutcome> known = claim(connection, dialect, epochs);
    if (known.isPresent()) {
      return known.get();
    }
    Staging staging = new Staging(dialect, tables, sinkName);
    List<Blocks> blocks = new ArrayList<>();
    for (Epoch each : epochs.epochs()) {
      blocks.add(staging.blocks(reads(connection, dialect), each.id(), each.handle()));
    }
    Target target = epochs.first().handle().target();
    dialect
        .loader(target, bulkPath, batchSize, epochs.rows())
        .load(connection, target, Blocks.together(blocks));
    for (Epoch each : epochs.epochs()) {
      if (each.handle().stagedBlocks() > 0) {
        staging.delete(connection, each.id());
      }
    }
    return CommitOutcome.committed();
  }

  private Staging.Reads reads(Connection connection, Dialect dialect) {
    return dialect.loadsWhileReading()
        ? query -> reader.inTransaction((beside, known) -> query.run(beside))
        : query -> query.run(connection);
  }

  private Optional<CommitOutcome> claim(Connection connection, Dialect dialect, Epochs epochs)
      throws Exception {
    return exactlyOnce
        ? new Ledger(dialect, tables, sinkName).claim(connection, epochs)
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
