package dev.twophase.jdbc.internal.dialect;

import dev.twophase.jdbc.internal.rows.RowBuffer;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Applies one row at a time. Not thread-safe. */
public final class RowApplier implements AutoCloseable {

  private final Dialect dialect;
  private final Connection connection;
  private final Target target;
  private final boolean updateFirst;
  private @Nullable PreparedStatement write;
  private @Nullable PreparedStatement update;
  private @Nullable PreparedStatement delete;

  public RowApplier(Dialect dialect, Connection connection, Target target) {
    this.dialect = dialect;
    this.connection = connection;
    this.target = target;
    this.updateFirst =
        target.operation() == Target.Operation.UPSERT && !dialect.upsertsInOneStatement();
  }

  /** Applies a row of this operation. */
  public void apply(byte operation, @Nullable Object[] values) throws SQLException {
    if (operation == RowBuffer.DELETE) {
      if (delete == null) {
        delete = connection.prepareStatement(dialect.deleteSql(target));
      }
      execute(delete, values);
      return;
    }
    if (updateFirst && update(values) > 0) {
      return;
    }
    if (write == null) {
      write = connection.prepareStatement(dialect.writeSql(target));
    }
    execute(write, values);
  }

  private int update(@Nullable Object[] values) throws SQLException {
    if (update == null) {
      update = connection.prepareStatement(dialect.updateSql(target));
    }
    int keys = target.keys();
    if (keys == values.length) {
      // All columns are the key's: the UPDATE sets them to what they are, to learn if they exist.
      @Nullable Object[] twice = Arrays.copyOf(values, 2 * keys);
      System.arraycopy(values, 0, twice, keys, keys);
      return execute(update, twice);
    }
    @Nullable Object[] ordered = new @Nullable Object[values.length];
    System.arraycopy(values, keys, ordered, 0, values.length - keys);
    System.arraycopy(values, 0, ordered, values.length - keys, keys);
    return execute(update, ordered);
  }

  private int execute(PreparedStatement statement, @Nullable Object[] values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      dialect.bind(statement, i + 1, values[i]);
    }
    return statement.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    try (PreparedStatement one = write;
        PreparedStatement two = update;
        PreparedStatement three = delete) {
      write = null;
      update = null;
      delete = null;
    }
  }
}
