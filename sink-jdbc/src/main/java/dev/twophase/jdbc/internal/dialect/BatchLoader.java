package dev.twophase.jdbc.internal.dialect;

import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.RowBuffer;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Batched statements; rows of different operations keep their order. */
final class BatchLoader implements Loader {

  private final Dialect dialect;
  private final int batchSize;

  BatchLoader(Dialect dialect, int batchSize) {
    this.dialect = dialect;
    this.batchSize = batchSize;
  }

  @Override
  public void load(Connection connection, Target target, Blocks blocks) throws Exception {
    try (Batch write = new Batch(connection.prepareStatement(dialect.writeSql(target)));
        Batch delete = new Batch(deletion(connection, target))) {
      Batch current = write;
      for (RowReader rows = blocks.next(); rows != null; rows = blocks.next()) {
        while (rows.next()) {
          Batch wanted = rows.operation() == RowBuffer.DELETE ? delete : write;
          if (wanted != current) {
            current.flush();
            current = wanted;
          }
          current.add(rows);
        }
      }
      current.flush();
    }
  }

  private PreparedStatement deletion(Connection connection, Target target) throws SQLException {
    return connection.prepareStatement(
        target.operation() == Target.Operation.UPSERT
            ? dialect.deleteSql(target)
            : dialect.writeSql(target));
  }

  private final class Batch implements AutoCloseable {
    private final PreparedStatement statement;
    private int size;
    private long bytes;

    Batch(PreparedStatement statement) {
      this.statement = statement;
    }

    void add(RowReader row) throws SQLException {
      int start = row.position();
      bind(row);
      int more = row.position() - start;
      if (bytes + more > dialect.mostTogether() && size > 0) {
        flush();
        row.readAgain(start);
        bind(row);
      }
      statement.addBatch();
      bytes += more;
      if (++size == batchSize) {
        flush();
      }
    }

    private void bind(RowReader row) throws SQLException {
      for (int i = 1; i <= row.values(); i++) {
        dialect.bind(statement, i, row.readValue());
      }
    }

    void flush() throws SQLException {
      if (size > 0) {
        statement.executeBatch();
        size = 0;
        bytes = 0;
      }
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }
}
