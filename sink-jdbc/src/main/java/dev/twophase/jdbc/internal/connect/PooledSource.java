package dev.twophase.jdbc.internal.connect;

import dev.twophase.jdbc.DataSourceFactory;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections from a data source that is made where they are needed. */
public final class PooledSource implements ConnectionSource {

  private static final long serialVersionUID = 1L;

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
    return made.getConnection();
  }
}
