package dev.twophase.jdbc.internal.ledger;

import dev.twophase.TransactionId;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.dialect.RowApplier;
import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
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

  /**
   * @param bulkError what the database said to all rows at once
   */
  RowDiagnosis(SystemTables tables, String sinkName, SQLException bulkError) {
    this.tables = tables;
    this.sinkName = sinkName;
    this.bulkError = bulkError;
  }

  /**
   * Applies the rows one at a time. What is refused goes to the table of dead letters, in the same
   * transaction.
   *
   * @throws CommitRefusedException naming the row, if there is no such table
   */
  void applyRowByRow(
      Connection connection, Dialect dialect, TransactionId id, JdbcHandle handle, Blocks blocks)
      throws Exception {
    Target target = handle.target();
    long number = 0;
    long refused = 0;
    try (RowApplier applier = new RowApplier(dialect, connection, target)) {
      for (RowReader rows = blocks.next(); rows != null; rows = blocks.next()) {
        while (rows.next()) {
          number++;
          byte operation = rows.operation();
          @Nullable Object[] values = rows.readValues();
          Savepoint before = connection.setSavepoint();
          try {
            applier.apply(operation, values);
            connection.releaseSavepoint(before);
          } catch (SQLException error) {
            if (!dialect.isPermanent(error)) {
              throw error;
            }
            connection.rollback(before);
            // It is still there, and Derby has room for one.
            connection.releaseSavepoint(before);
            refuse(connection, dialect, id, handle, number, values, error);
            refused++;
          }
        }
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

  private void refuse(
      Connection connection,
      Dialect dialect,
      TransactionId id,
      JdbcHandle handle,
      long number,
      @Nullable Object[] values,
      SQLException error)
      throws SQLException, CommitRefusedException {
    if (tables.deadLetters().isEmpty()) {
      throw new CommitRefusedException(
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
              + ". Nothing of the transaction was applied. Mend the row or the table, or set"
              + " deadLetterTable to go on without such rows",
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
      statement.setString(4, shortened(String.valueOf(error.getMessage()), LONGEST_TEXT));
      statement.setString(5, RowText.of(handle.target(), values));
      statement.executeUpdate();
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
