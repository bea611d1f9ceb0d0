package dev.twophase.jdbc.internal.connect;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** The job's own code gives no connection, whether or not the database is there. */
public final class NoConnectionException extends SQLTransientConnectionException {

  private static final long serialVersionUID = 1L;

  private NoConnectionException(String reason, Exception said) {
    super(reason, said);
  }

  static NoConnectionException closed(SQLException said) {
    return new NoConnectionException(
        "the data source that the factory of dataSource(...) returned has been closed: have the"
            + " factory make one each time it is called, and leave it open: "
            + said.getMessage(),
        said);
  }

  static NoConnectionException exhausted(SQLException said) {
    return new NoConnectionException(
        "the data source that the factory of dataSource(...) returned is a pool whose connections"
            + " are all in use: each subtask uses up to three at a time, so give it three for each"
            + " that runs in this JVM, or let the factory return one that does not pool: "
            + said.getMessage(),
        said);
  }

  /**
   * @param setting whose code it is
   */
  static NoConnectionException thrownBy(String setting, RuntimeException said) {
    return new NoConnectionException(
        "what was given to " + setting + "(...) threw an exception: mend it: " + said, said);
  }
}
