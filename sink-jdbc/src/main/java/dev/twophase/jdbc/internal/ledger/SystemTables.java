package dev.twophase.jdbc.internal.ledger;

import dev.twophase.jdbc.internal.dialect.Dialect;
import java.io.Serializable;
import java.util.List;

/**
 * Names and definitions of the sink's own tables, which several sinks share.
 *
 * @param schema empty for the connection's own
 * @param ledger one row per subtask and attempt
 * @param staging rows of transactions that are too large for a checkpoint
 * @param deadLetters rows that the target refused; empty if they fail the job
 * @param create whether to create what is missing
 */
public record SystemTables(
    String schema, String ledger, String staging, String deadLetters, boolean create)
    implements Serializable {

  private static final int ID_LENGTH = 170;

  String ledgerName(Dialect dialect) {
    return dialect.table(schema, ledger);
  }

  String stagingName(Dialect dialect) {
    return dialect.table(schema, staging);
  }

  String deadLettersName(Dialect dialect) {
    return dialect.table(schema, deadLetters);
  }

  /** Unqualified names of the tables in use. */
  public List<String> names() {
    return deadLetters.isEmpty() ? List.of(ledger, staging) : List.of(ledger, staging, deadLetters);
  }

  /** Statements that need what the sink does with one of {@link #names()}, and do nothing. */
  public List<String> harmless(String name, Dialect dialect) {
    String table = dialect.table(schema, name);
    String columns = columns(name);
    String insert =
        "INSERT INTO " + table + " (" + columns + ") SELECT " + columns + " FROM " + table;
    String nothing = " WHERE 1=0";
    if (name.equals(deadLetters)) {
      return List.of(insert + nothing);
    }
    String delete = "DELETE FROM " + table + nothing;
    return name.equals(staging)
        ? List.of(insert + nothing, delete)
        : List.of(insert + nothing, "UPDATE " + table + " SET seq=seq" + nothing, delete);
  }

  private String columns(String name) {
    if (name.equals(ledger)) {
      return "sink, subtask, nonce, since, seq, pruned, row_count";
    }
    return name.equals(staging)
        ? "sink, transaction_id, block, content"
        : "sink, transaction_id, position, error, content";
  }

  /** The statement that creates one of {@link #names()}. */
  public String ddl(String name, Dialect dialect) {
    String columns;
    if (name.equals(ledger)) {
      columns = ledgerColumns(dialect);
    } else if (name.equals(staging)) {
      columns = stagingColumns(dialect);
    } else {
      columns = deadLetterColumns(dialect);
    }
    return "CREATE TABLE "
        + dialect.table(schema, name)
        + " ("
        + columns
        + ")"
        + dialect.tableSuffix()
        + (name.equals(staging) ? dialect.storesAsIs(dialect.table(schema, name), "content") : "");
  }

  private static String ledgerColumns(Dialect dialect) {
    return "sink "
        + dialect.textType(100)
        + " NOT NULL, subtask INTEGER NOT NULL, nonce "
        + dialect.textType(32)
        + " NOT NULL, since BIGINT NOT NULL, seq BIGINT NOT NULL, pruned BIGINT NOT NULL,"
        + " row_count BIGINT NOT NULL, PRIMARY KEY (sink, subtask, nonce),"
        // Two attempts that commit at the same time take the same number: the second must look
        // again.
        + " UNIQUE (sink, subtask, seq)";
  }

  private static String stagingColumns(Dialect dialect) {
    return "sink "
        + dialect.textType(100)
        + " NOT NULL, transaction_id "
        + dialect.textType(ID_LENGTH)
        + " NOT NULL, block INTEGER NOT NULL, content "
        + dialect.bytesType()
        + " NOT NULL, PRIMARY KEY (sink, transaction_id, block)";
  }

  private static String deadLetterColumns(Dialect dialect) {
    return "sink "
        + dialect.textType(100)
        + " NOT NULL, transaction_id "
        + dialect.textType(ID_LENGTH)
        + " NOT NULL, position BIGINT NOT NULL, error "
        + dialect.longTextType()
        + ", content "
        + dialect.longTextType()
        + ", PRIMARY KEY (sink, transaction_id, position)";
  }
}
