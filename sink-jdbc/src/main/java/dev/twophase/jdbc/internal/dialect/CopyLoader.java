package dev.twophase.jdbc.internal.dialect;

import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;

/** PostgreSQL's COPY, straight into the target. */
final class CopyLoader implements Loader {

  private static final int PACKET_BYTES = 1 << 16;

  private final Dialect dialect;

  CopyLoader(Dialect dialect) {
    this.dialect = dialect;
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
  public void load(Connection connection, Target target, Blocks blocks) throws SQLException {
    String sql =
        "COPY "
            + dialect.table(target.schema(), target.table())
            + " ("
            + dialect.list(target.columns())
            + ") FROM STDIN";
    CopyManager manager = connection.unwrap(PGConnection.class).getCopyAPI();
    PostgresText text = new PostgresText();
    // One COPY per block: while it runs, the connection cannot fetch the next one.
    for (RowReader rows = blocks.next(); rows != null; rows = blocks.next()) {
      copy(manager.copyIn(sql), rows, text);
    }
  }

  private static void copy(CopyIn copy, RowReader rows, PostgresText text) throws SQLException {
    try {
      while (rows.next()) {
        text.row(rows);
        if (text.length() >= PACKET_BYTES) {
          send(copy, text);
        }
      }
      send(copy, text);
      copy.endCopy();
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  private static void send(CopyIn copy, PostgresText text) throws SQLException {
    copy.writeToCopy(text.bytes(), 0, text.length());
    text.clear();
  }
}
