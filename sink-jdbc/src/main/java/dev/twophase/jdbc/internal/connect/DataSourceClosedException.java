package dev.twophase.jdbc.internal.connect;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** A data source gives no connections any more, whether or not the database is there. */
public final class DataSourceClosedException extends SQLTransientConnectionException {

  private static final long serialVersionUID = 1L;

  DataSourceClosedException(SQLException said) {
    super(
        "the data source that the factory of dataSource(...) returned has been closed: have the"
            + " factory make one each time it is called, and leave it open: "
            + said.getMessage(),
        said);
  }
}
