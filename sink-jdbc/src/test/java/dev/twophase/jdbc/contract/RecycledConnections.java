package dev.twophase.jdbc.contract;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Connecting takes longer than a schedule: what is closed, or aborted, is rolled back and given out
 * again, which is what the database does for a client that is gone.
 */
final class RecycledConnections implements DataSource {

  private final String url;
  private final String user;
  private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

  RecycledConnections(String url, String user) {
    this.url = url;
    this.user = user;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection pooled = idle.poll();
    Connection real = pooled == null ? DriverManager.getConnection(url, user, "none") : pooled;
    AtomicBoolean returned = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close") || method.getName().equals("abort")) {
                if (returned.compareAndSet(false, true)) {
                  recycle(real);
                }
                return null;
              }
              if (returned.get()) {
                throw new SQLException("closed", "08003");
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  private void recycle(Connection real) throws SQLException {
    if (!real.getAutoCommit()) {
      real.rollback();
    }
    real.setAutoCommit(true);
    idle.push(real);
  }

  @Override
  public Connection getConnection(String otherUser, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
