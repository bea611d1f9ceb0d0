package dev.twophase.jdbc.internal;

import dev.twophase.PreflightContext;
import dev.twophase.jdbc.internal.connect.ConnectionSource;
import dev.twophase.jdbc.internal.connect.NoConnectionException;
import dev.twophase.jdbc.internal.connect.Session;
import dev.twophase.jdbc.internal.dialect.Dialect;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** The first connection of a job: what waiting cannot help is refused, a server away is not. */
final class Reach {

  /** Of the server, of a user, and of a user within an hour. */
  private static final Set<Integer> MARIADB_FULL = Set.of(1040, 1203, 1226);

  private Reach() {}

  static Dialect connect(Session session, ConnectionSource source, PreflightContext context)
      throws SQLException {
    try {
      return session.dialect();
    } catch (IllegalArgumentException notThere) {
      throw context.refuse("credentials", "not there", String.valueOf(notThere.getMessage()));
    } catch (NoConnectionException none) {
      throw new SQLTransientConnectionException(
          "Sink '" + context.sinkName() + "' gets no connection: " + none.getMessage(), none);
    } catch (SQLException error) {
      if (isDriverMissing(error)) {
        throw context.refuse(
            "url",
            source.describe(),
            "Add the driver to the job or to Flink's lib directory, or mend the URL: none that is"
                + " there takes it");
      }
      if (isFull(error)) {
        throw new SQLTransientConnectionException(
            "Sink '"
                + context.sinkName()
                + "' gets no more connections from its database, of which each of its "
                + context.parallelism()
                + " subtasks uses up to three: raise the server's or the user's limit, or lower the"
                + " parallelism: "
                + error.getMessage(),
            error.getSQLState(),
            error.getErrorCode(),
            error);
      }
      if (isRefusal(error)) {
        throw context.refuse(
            "url, user or password",
            "refused by the database",
            "Mend them: " + source.describe() + ": " + error.getMessage());
      }
      throw new SQLTransientConnectionException(
          "Sink '"
              + context.sinkName()
              + "' does not reach its database: start it, or check host and port of "
              + source.describe()
              + ": "
              + error.getMessage(),
          error.getSQLState(),
          error.getErrorCode(),
          error);
    }
  }

  private static boolean isDriverMissing(SQLException error) {
    return error.getErrorCode() == 0
        && error.getCause() == null
        && String.valueOf(error.getMessage()).startsWith("No suitable driver");
  }

  /** PostgreSQL has a class of states for that, MariaDB and MySQL numbers. */
  private static boolean isFull(SQLException error) {
    return String.valueOf(error.getSQLState()).startsWith("53")
        || MARIADB_FULL.contains(error.getErrorCode());
  }

  /** User, password, database, or the right to connect. */
  private static boolean isRefusal(SQLException error) {
    String state = String.valueOf(error.getSQLState());
    return state.startsWith("28") || state.startsWith("3D") || state.startsWith("42");
  }
}
