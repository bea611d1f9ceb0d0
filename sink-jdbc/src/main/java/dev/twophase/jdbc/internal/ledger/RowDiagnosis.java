package dev.twophase.jdbc.internal.ledger;

import dev.twophase.TransactionId;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.dialect.RowApplier;
import dev.twophase.jdbc.internal.ledger.Postponed.Refused;
import dev.twophase.jdbc.internal.ledger.Postponed.Row;
import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import dev.twophase.jdbc.internal.rows.RowLimit;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.RowText;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the rows that the target refuses, after it refused them in bulk. */
final class RowDiagnosis {

  private static final Logger LOG = LoggerFactory.getLogger(RowDiagnosis.class);
  private static final int LONGEST_VALUE = 80;
  private static final int LONGEST_TEXT = 4_000;

  private final SystemTables tables;
  private final String sinkName;
  private final SQLException bulkError;
  private final boolean atCommit;
  private boolean writable;

  /**
   * @param bulkError what the database said to all rows at once
   * @param atCommit whether it took them all, and said so when it was asked to commit
   */
  RowDiagnosis(SystemTables tables, String sinkName, SQLException bulkError, boolean atCommit) {
    this.tables = tables;
    this.sinkName = sinkName;
    this.bulkError = bulkError;
    this.atCommit = atCommit;
  }

  /**
   * Applies the rows one at a time. What is refused goes to the table of dead letters, in the same
   * transaction. If it was refused at the commit, where no row can be named, constraints are
   * checked with each row, and rows that one refuses are tried again behind the others.
   *
   * @throws CommitRefusedException naming the row, if there is no such table
   */
  void applyRowByRow(
      Connection connection, Dialect dialect, TransactionId id, JdbcHandle handle, Blocks blocks)
      throws Exception {
    if (atCommit) {
      dialect.checkConstraintsAtOnce(connection);
    }
    Postponed postponed = new Postponed(handle.target());
    long refused = 0;
    try (RowApplier applier = new RowApplier(dialect, connection, handle.target())) {
      Single single = new Single(connection, dialect, applier);
      long number = 0;
      for (RowReader rows = blocks.next(); rows != null; rows = blocks.next()) {
        while (rows.next()) {
          Row row = new Row(++number, rows.operation(), rows.readValues());
          SQLException error = postponed.holdBack(row) ? null : single.at(row);
          if (error == null) {
            continue;
          }
          if (atCommit && Dialect.isOfConstraint(error) && !postponed.isFull()) {
            postponed.add(row, error);
          } else {
            refused++;
            refuse(connection, dialect, id, handle, new Refused(row, error));
          }
        }
      }
      for (Refused each : postponed.settle(single)) {
        refused++;
        refuse(connection, dialect, id, handle, each);
      }
    }
    if (refused == 0) {
      LOG.warn(
          "Sink '{}' wrote transaction {} row by row, because together its rows were refused: {}",
          sinkName,
          id,
          bulkError.getMessage());
    } else {
      LOG.error("Sink '{}' put {} rows into {}", sinkName, refused, tables.deadLetters());
    }
  }

  /** Applies rows so that those that are refused leave nothing behind. */
  private record Single(Connection connection, Dialect dialect, RowApplier applier)
      implements Postponed.Attempts {

    @Override
    public @Nullable SQLException at(Row row) throws SQLException {
      Savepoint before = connection.setSavepoint();
      try {
        applier.apply(row.operation, row.values);
        connection.releaseSavepoint(before);
        return null;
      } catch (SQLException error) {
        undo(before, error);
        return error;
      }
    }

    @Override
    public boolean atAll(List<Row> rows) throws SQLException {
      Savepoint before = connection.setSavepoint();
      try {
        dialect.letConstraintsWait(connection);
        for (Row row : rows) {
          applier.apply(row.operation, row.values);
        }
        dialect.checkConstraintsAtOnce(connection);
        connection.releaseSavepoint(before);
        return true;
      } catch (SQLException error) {
        undo(before, error);
        return false;
      }
    }

    private void undo(Savepoint before, SQLException error) throws SQLException {
      if (!dialect.isPermanent(error)) {
        throw error;
      }
      connection.rollback(before);
      // It is still there, and Derby has room for one.
      connection.releaseSavepoint(before);
    }
  }

  private void refuse(
      Connection connection, Dialect dialect, TransactionId id, JdbcHandle handle, Refused refused)
      throws SQLException, CommitRefusedException {
    long number = refused.row().number;
    @Nullable Object[] values = refused.row().values;
    SQLException error = refused.error();
    if (Dialect.isOfTransaction(error)) {
      throw new CommitRefusedException(
          "Sink '"
              + sinkName
              + "': its statement cannot be part of a transaction: "
              + error.getMessage()
              + ". Nothing was applied, and no row is to blame: give sql(...) one that acts on data"
              + " only",
          error);
    }
    requireWritable(connection, dialect, handle.target());
    String refusal =
        "Sink '"
            + sinkName
            + "': "
            + handle.target().describe()
            + " refuses row "
            + number
            + " of "
            + handle.rows()
            + " of transaction "
            + id
            + ": "
            + describe(handle.target(), values)
            + ". Nothing of the transaction was applied. ";
    if (tables.deadLetters().isEmpty()) {
      throw new CommitRefusedException(
          refusal + "Mend the row or the table, or set deadLetterTable to go on without such rows",
          error);
    }
    String reason = shortened(String.valueOf(error.getMessage()), LONGEST_TEXT);
    String content = RowText.of(handle.target(), values);
    RowLimit limit = dialect.rowLimit(connection, deadLetters());
    if (!limit.takes(reason + content)) {
      throw new CommitRefusedException(
          refusal
              + "As JSON it does not fit into "
              + tables.deadLetters()
              + " by "
              + limit.cause()
              + ", or mend the row or the table",
          error);
    }
    String sql =
        "INSERT INTO "
            + tables.deadLettersName(dialect)
            + " (sink, transaction_id, position, error, content) VALUES (?,?,?,?,?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, sinkName);
      statement.setString(2, id.toString());
      statement.setLong(3, number);
      statement.setString(4, reason);
      statement.setString(5, content);
      statement.executeUpdate();
    }
  }

  /** Only for how large its rows may be: its columns are not quoted. */
  private Target deadLetters() {
    List<String> columns = List.of("sink", "transaction_id", "position", "error", "content");
    return new Target(
        Target.Operation.INSERT, tables.schema(), tables.deadLetters(), columns, 0, "");
  }

  /**
   * A table that is gone, or that the sink may not write to, refuses every row, and no row is to
   * blame.
   */
  private void requireWritable(Connection connection, Dialect dialect, Target target)
      throws SQLException, CommitRefusedException {
    if (writable) {
      return;
    }
    try {
      for (String sql : dialect.harmless(target, false)) {
        dialect.runHarmless(connection, sql);
      }
      writable = true;
    } catch (SQLException error) {
      if (!dialect.isPermanent(error)) {
        throw error;
      }
      throw new CommitRefusedException(
          "Sink '"
              + sinkName
              + "' cannot write to "
              + target.describe()
              + ": "
              + error.getMessage()
              + ". Nothing of the transaction was applied, and nothing is lost. Give the table back,"
              + " its columns, and the right to write to it, as they were when the job started",
          error);
    }
  }

  /** Only the key, if there is one: the rest may be nobody's business in a log. */
  private static String describe(Target target, @Nullable Object[] values) {
    int shown = target.keys() > 0 ? target.keys() : values.length;
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(shown, values.length); i++) {
      text.append(i == 0 ? "" : ", ").append(RowText.name(target, i)).append('=');
      text.append(shortened(RowText.of(values[i]), LONGEST_VALUE));
    }
    return text.toString();
  }

  private static String shortened(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }
}
