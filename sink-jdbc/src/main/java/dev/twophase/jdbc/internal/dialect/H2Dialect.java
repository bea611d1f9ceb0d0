package dev.twophase.jdbc.internal.dialect;

import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** H2. */
public final class H2Dialect extends Dialect {

  @Override
  public String name() {
    return "H2";
  }

  @Override
  public void prepareSession(Connection connection, Duration lockTimeout) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCK_TIMEOUT " + lockTimeout.toMillis());
    }
  }

  @Override
  public boolean upsertsInOneStatement() {
    return true;
  }

  @Override
  public String writeSql(Target target) {
    if (target.operation() != Operation.UPSERT) {
      return super.writeSql(target);
    }
    return intoSql("MERGE", target, " KEY (" + list(target.keyColumns()) + ")");
  }
}
