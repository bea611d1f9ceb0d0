package dev.twophase.jdbc.internal.ledger;

import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The table that holds rows of transactions that are too large for a checkpoint. */
public final class Staging {

  /** Bytes read at once, about: less than what is on its way to a server that is loading. */
  private static final int READ_AHEAD = 2 << 20;

  private final Dialect dialect;
  private final String table;
  private final String sinkName;

  public Staging(Dialect dialect, SystemTables tables, String sinkName) {
    this.dialect = dialect;
    this.table = tables.stagingName(dialect);
    this.sinkName = sinkName;
  }

  /** Adds blocks; durable once the connection's transaction is committed. */
  public void add(Connection connection, TransactionId id, int firstNumber, List<byte[]> blocks)
      throws SQLException {
    List<String> key = List.of(sinkName, id.toString());
    if (dialect.addBlocks(connection, table, key, firstNumber, blocks)) {
      return;
    }
    String sql =
        "INSERT INTO " + table + " (sink, transaction_id, block, content) VALUES (?,?,?,?)";
    long most = dialect.mostTogether();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int number = firstNumber;
      long bytes = 0;
      for (byte[] block : blocks) {
        if (bytes > 0 && bytes + block.length > most) {
          statement.executeBatch();
          bytes = 0;
        }
        int first = (int) Math.min(block.length, most);
        statement.setString(1, sinkName);
        statement.setString(2, id.toString());
        statement.setInt(3, number);
        statement.setBytes(4, first < block.length ? Arrays.copyOf(block, first) : block);
        statement.addBatch();
        bytes += first;
        if (first < block.length) {
          statement.executeBatch();
          bytes = 0;
          append(connection, id, number, block, first);
        }
        number++;
      }
      if (bytes > 0) {
        statement.executeBatch();
      }
    }
  }

  /** What is larger than the database takes at once; that it has CONCAT, we know then. */
  private void append(
      Connection connection, TransactionId id, int number, byte[] block, int written)
      throws SQLException {
    int piece = (int) dialect.mostTogether();
    String sql =
        "UPDATE "
            + table
            + " SET content=CONCAT(content, ?) WHERE sink=? AND transaction_id=? AND block=?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int start = written; start < block.length; start += piece) {
        statement.setBytes(
            1, Arrays.copyOfRange(block, start, Math.min(block.length, start + piece)));
        statement.setString(2, sinkName);
        statement.setString(3, id.toString());
        statement.setInt(4, number);
        statement.executeUpdate();
      }
    }
  }

  /** A query for blocks. */
  @FunctionalInterface
  interface Query {
    List<byte[]> run(Connection connection) throws SQLException, StagedRowsGoneException;
  }

  /** Runs queries, on whatever connection. */
  @FunctionalInterface
  interface Reads {
    List<byte[]> run(Query query) throws Exception;
  }

  /**
   * All rows of a transaction: those staged, then those in its handle. Whoever reads them has taken
   * the ledger's key, so that none are gone because of a commit: {@link StagedRowsGoneException} is
   * a proven loss. They are not counted first, which would read each page once more.
   */
  Blocks blocks(Reads reads, TransactionId id, JdbcHandle handle) {
    return new TransactionBlocks(
        handle,
        (from, end) -> reads.run(connection -> read(connection, id, from, end)),
        READ_AHEAD / dialect.blockBytes());
  }

  private List<byte[]> read(Connection connection, TransactionId id, int from, int end)
      throws SQLException, StagedRowsGoneException {
    String sql =
        "SELECT content FROM "
            + table
            + " WHERE sink=? AND transaction_id=? AND block>=? AND block<? ORDER BY block";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      dialect.expectBytes(statement);
      statement.setString(1, sinkName);
      statement.setString(2, id.toString());
      statement.setInt(3, from);
      statement.setInt(4, end);
      List<byte[]> read = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          read.add(result.getBytes(1));
        }
      }
      if (read.size() != end - from) {
        throw new StagedRowsGoneException(
            "of blocks "
                + from
                + " to "
                + (end - 1)
                + " of its rows "
                + read.size()
                + " are in "
                + table
                + ", and the ledger has no commit",
            read.isEmpty());
      }
      return read;
    }
  }

  /** Removes all of a transaction (A1). */
  public void delete(Connection connection, TransactionId id) throws SQLException {
    String sql = "DELETE FROM " + table + " WHERE sink=? AND transaction_id=?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, sinkName);
      statement.setString(2, id.toString());
      statement.executeUpdate();
    }
  }

  /** Transactions of this sink that have staged rows. */
  public List<Unfinished> list(Connection connection) throws SQLException {
    String sql = "SELECT DISTINCT transaction_id FROM " + table + " WHERE sink=?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, sinkName);
      List<Unfinished> found = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          TransactionId.parse(result.getString(1)).map(Unfinished::of).ifPresent(found::add);
        }
      }
      return found;
    }
  }
}
