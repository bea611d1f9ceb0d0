package dev.twophase.jdbc.commit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.mariadb.jdbc.MariaDbDataSource;

/** Connections to MariaDB whose commits wait to be thawed. */
final class FrozenCommits extends MariaDbDataSource {

  private static final CountDownLatch FROZEN = new CountDownLatch(1);
  private static final CountDownLatch THAWED = new CountDownLatch(1);

  private FrozenCommits() {}

  static FrozenCommits at(String url, String user) throws SQLException {
    FrozenCommits source = new FrozenCommits();
    source.setUrl(url);
    source.setUser(user);
    return source;
  }

  static void awaitFrozen() throws InterruptedException {
    if (!FROZEN.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("nothing was committed");
    }
  }

  static void thaw() {
    THAWED.countDown();
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection real = super.getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit")) {
                FROZEN.countDown();
                THAWED.await();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }
}
