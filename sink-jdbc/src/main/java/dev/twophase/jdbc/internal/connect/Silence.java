package dev.twophase.jdbc.internal.connect;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.time.Duration;

/** What a database that does not answer looks like. */
final class Silence {

  private Silence() {}

  /** The same error, or if it is of a network time-out one that says what to do. */
  static SQLException named(SQLException error, Duration replyTimeout) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (each instanceof SocketTimeoutException) {
        return new SQLException(
            "The database was silent for longer than the replyTimeout of "
                + replyTimeout
                + " (or the network time-out of your URL or data source); if a statement may take"
                + " that long, raise it: "
                + error.getMessage(),
            error.getSQLState(),
            error.getErrorCode(),
            error);
      }
    }
    return error;
  }
}
