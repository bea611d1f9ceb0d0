package dev.twophase.jdbc.internal.ledger;

import dev.twophase.TransactionId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL's prepared transactions, by name. A name is a transaction id, whose letters need no
 * quoting; these statements take no parameters.
 */
public final class PreparedTransactions {

  private PreparedTransactions() {}

  /** Prepares what the connection's transaction has done, and ends it. */
  public static void prepare(Connection connection, TransactionId id) throws SQLException {
    execute(connection, "PREPARE TRANSACTION '" + id + "'");
  }

  /** Outside of any transaction. */
  public static void commit(Connection connection, TransactionId id) throws SQLException {
    execute(connection, "COMMIT PREPARED '" + id + "'");
  }

  /** Outside of any transaction. */
  public static void rollback(Connection connection, TransactionId id) throws SQLException {
    execute(connection, "ROLLBACK PREPARED '" + id + "'");
  }

  /** Those of a sink, in this database. */
  public static List<TransactionId> list(Connection connection, String sinkName)
      throws SQLException {
    return list(connection, sinkName, "");
  }

  /** Those of a sink that the connection's user may neither commit nor roll back. */
  public static List<TransactionId> outOfReach(Connection connection, String sinkName)
      throws SQLException {
    return list(
        connection,
        sinkName,
        " AND owner <> current_user"
            + " AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)");
  }

  private static List<TransactionId> list(
      Connection connection, String sinkName, String andCondition) throws SQLException {
    List<TransactionId> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"
                    + andCondition)) {
      while (result.next()) {
        TransactionId.parse(result.getString(1))
            .filter(id -> id.sinkName().equals(sinkName))
            .ifPresent(found::add);
      }
    }
    return found;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
