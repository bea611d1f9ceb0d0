package dev.twophase.jdbc.internal.dialect.postgres;

import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.dialect.Loader;
import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** PostgreSQL's COPY, straight into the target. */
final class CopyLoader implements Loader {

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
      try (CopyStream copy = new CopyStream(manager.copyIn(sql), text)) {
        while (rows.next()) {
          text.row(rows);
          copy.sendIfFull();
        }
        copy.end();
      }
    }
  }
}
