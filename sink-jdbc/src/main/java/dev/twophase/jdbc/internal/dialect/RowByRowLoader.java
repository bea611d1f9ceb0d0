package dev.twophase.jdbc.internal.dialect;

import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Where no single statement does it. */
final class RowByRowLoader implements Loader {

  private final Dialect dialect;

  RowByRowLoader(Dialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public void load(Connection connection, Target target, Blocks blocks) throws Exception {
    try (RowApplier applier = new RowApplier(dialect, connection, target)) {
      for (RowReader rows = blocks.next(); rows != null; rows = blocks.next()) {
        while (rows.next()) {
          byte operation = rows.operation();
          @Nullable Object[] values = rows.readValues();
          applier.apply(operation, values);
        }
      }
    }
  }
}
