package dev.twophase.jdbc.internal.connect;

import dev.twophase.jdbc.DataSourceFactory;
import java.sql.Connection;
import java.sql.SQLException;
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
      made = factory.create();
      if (made == null) {
        throw new IllegalStateException("The factory of dataSource returned null: return one");
      }
      dataSource = made;
    }
    try {
      return made.getConnection();
    } catch (SQLException error) {
      if (!isClosed(error)) {
        throw error;
      }
      // The factory may make a new one, if it is asked again.
      dataSource = null;
      throw new DataSourceClosedException(error);
    }
  }

  /** Pools have no code for that. */
  private static boolean isClosed(SQLException error) {
    String state = error.getSQLState();
    return (state == null || state.equals("08003"))
        && CLOSED.matcher(String.valueOf(error.getMessage())).find();
  }
}
