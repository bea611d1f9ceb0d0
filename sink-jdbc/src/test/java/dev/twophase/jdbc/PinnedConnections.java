package dev.twophase.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections on which one setting stays as it is, whatever is asked for. */
public final class PinnedConnections extends PGSimpleDataSource {

  private static final long serialVersionUID = 1L;

  /** Prepares a connection, before the setting is pinned. */
  private interface Setup {
    void apply(Connection connection) throws SQLException;
  }

  private final String pinned;
  private final transient Setup setup;

  private PinnedConnections(String url, String user, String pinned, Setup setup) {
    this.pinned = pinned;
    this.setup = setup;
    setUrl(url);
    setUser(user);
  }

  public static PinnedConnections inAutocommit(String url, String user) {
    return new PinnedConnections(
        url, user, "setAutoCommit", connection -> connection.setAutoCommit(true));
  }

  public static PinnedConnections serializable(String url, String user) {
    return new PinnedConnections(
        url,
        user,
        "setTransactionIsolation",
        connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection real = super.getConnection();
    setup.apply(real);
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(pinned)) {
                return null;
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }
}
