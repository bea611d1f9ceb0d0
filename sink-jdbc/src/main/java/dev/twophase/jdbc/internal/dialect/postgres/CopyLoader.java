package dev.twophase.jdbc.internal.dialect.postgres;

import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.dialect.Loader;
import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * PostgreSQL's COPY, straight into the target: in binary form as long as all values are of their
 * column's type, else as text, which the server converts.
 */
final class CopyLoader implements Loader {

  /** Rows from which on it pays to ask for the columns' types. */
  private static final long WORTH_TYPES = 2_000;

  private final Dialect dialect;
  private final long rows;

  /**
   * @param rows about how many
   */
  CopyLoader(Dialect dialect, long rows) {
    this.dialect = dialect;
    this.rows = rows;
  }

  /** Whether PostgreSQL's own driver is there. */
  static boolean isAvailable() {
    try {
      Class.forName("org.postgresql.PGConnection", false, CopyLoader.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException anotherDriver) {
      return false;
    }
  }

  @Override
  public void load(Connection connection, Target target, Blocks blocks) throws Exception {
    String table = dialect.table(target.schema(), target.table());
    String sql = "COPY " + table + " (" + dialect.list(target.columns()) + ") FROM STDIN";
    @Nullable PostgresBinary binary =
        rows < WORTH_TYPES
            ? null
            : new PostgresBinary(ColumnTypes.of(connection, table, target.columns()));
    PostgresText text = new PostgresText();
    try (CopyStream copy = new CopyStream(connection.unwrap(BaseConnection.class), sql)) {
      for (RowReader block = blocks.next(); block != null; block = blocks.next()) {
        if (binary != null && binary.encode(block)) {
          copy.send(true, binary.bytes(), binary.length());
        } else {
          binary = null;
          sendText(copy, text, new RowReader(block.block()));
        }
      }
      copy.end();
    }
  }

  private static void sendText(CopyStream copy, PostgresText text, RowReader block)
      throws SQLException {
    while (block.next()) {
      text.row(block);
      if (text.length() >= CopyStream.PACKET_BYTES) {
        copy.send(false, text.bytes(), text.length());
        text.clear();
      }
    }
    copy.send(false, text.bytes(), text.length());
    text.clear();
  }
}
