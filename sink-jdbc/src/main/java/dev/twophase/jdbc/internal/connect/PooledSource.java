package dev.twophase.jdbc.internal.connect;

import dev.twophase.jdbc.DataSourceFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections from a data source that is made where they are needed. */
public final class PooledSource implements ConnectionSource {

  private static final long serialVersionUID = 1L;

  private static final Pattern CLOSED = Pattern.compile("(?i)\\bclosed\\b");

  private final DataSourceFactory factory;
  private transient @Nullable DataSource dataSource;

  public PooledSource(DataSourceFactory factory) {
    this.factory = factory;
  }

  @Override
  public Connection connect() throws SQLException {
    DataSource made = dataSource;
    if (made == null) {
      made = made();
      dataSource = made;
    }
    try {
      return made.getConnection();
    } catch (SQLException error) {
      if (isExhausted(error)) {
        throw NoConnectionException.exhausted(error);
      }
      if (!isClosed(error)) {
        throw error;
      }
      // The factory may make a new one, if it is asked again.
      dataSource = null;
      throw NoConnectionException.closed(error);
    }
  }

  private DataSource made() throws SQLException {
    @Nullable DataSource made;
    try {
      made = factory.create();
    } catch (RuntimeException error) {
      throw NoConnectionException.thrownBy("dataSource", error);
    }
    if (made == null) {
      throw new IllegalStateException("The factory of dataSource returned null: return one");
    }
    return made;
  }

  /** Pools wait and give up; where the database is the reason, they give its state. */
  private static boolean isExhausted(SQLException error) {
    return error instanceof SQLTransientConnectionException && error.getSQLState() == null;
  }

  /** Pools have no code for that. */
  private static boolean isClosed(SQLException error) {
    String state = error.getSQLState();
    return (state == null || state.equals("08003"))
        && CLOSED.matcher(String.valueOf(error.getMessage())).find();
  }
}
