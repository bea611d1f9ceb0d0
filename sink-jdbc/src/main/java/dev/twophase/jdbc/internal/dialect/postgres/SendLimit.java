package dev.twophase.jdbc.internal.dialect.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends the connection of a sender whose server, or network, takes no more bytes: the network
 * time-out is for readers only. It waits as long as that. One sender at a time.
 */
final class SendLimit implements AutoCloseable {

  /** What is sent. */
  @FunctionalInterface
  interface Sending {
    void run() throws SQLException;
  }

  private static final int LOOKS = 4;

  private final Connection connection;
  private final Duration limit;
  private volatile long since;
  private volatile boolean sending;
  private volatile boolean expired;
  private volatile boolean closed;
  private @Nullable Thread watch;

  /** Without effect if the connection has no network time-out. */
  SendLimit(Connection connection) throws SQLException {
    this.connection = connection;
    this.limit = Duration.ofMillis(connection.getNetworkTimeout());
  }

  /** Runs what blocks while nothing is taken. */
  void over(Sending work) throws SQLException {
    if (limit.isZero()) {
      work.run();
      return;
    }
    since = System.nanoTime();
    sending = true;
    if (watch == null) {
      watch = new Thread(this::watch, "twophase send limit");
      watch.setDaemon(true);
      watch.start();
    }
    try {
      work.run();
    } catch (SQLException error) {
      throw expired
          ? new SQLException(
              "The database took no more rows for the replyTimeout of " + limit, "08006", error)
          : error;
    } finally {
      sending = false;
    }
  }

  private void watch() {
    while (!closed) {
      LockSupport.parkNanos(limit.toNanos() / LOOKS);
      if (!closed && sending && System.nanoTime() - since > limit.toNanos()) {
        expired = true;
        end();
        return;
      }
    }
  }

  private void end() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException error) {
      throw new IllegalStateException("A connection cannot be ended", error);
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(watch);
  }
}
