package dev.twophase.jdbc.internal.connect;

import dev.twophase.jdbc.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, opened when first needed and replaced after an error: what a failed connection
 * says of a transaction is not evidence. Not thread-safe.
 */
public final class Session implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  /**
   * Servers, firewalls and poolers close connections that are idle for minutes or hours. Asking
   * costs a round trip, so not at each checkpoint of a job that has one every second.
   */
  static final Duration IDLE = Duration.ofSeconds(15);

  /** Work in one local transaction. */
  @FunctionalInterface
  public interface Work<R> {
    R run(Connection connection, Dialect dialect) throws Exception;
  }

  private final ConnectionSource source;
  private final Duration lockTimeout;
  private final Duration replyTimeout;
  private final LongSupplier nanos;
  private @Nullable Connection connection;
  private long lastUsed;
  private @Nullable Dialect dialect;

  /** Work without a result. */
  @FunctionalInterface
  public interface Action {
    void run(Connection connection, Dialect dialect) throws Exception;
  }

  /**
   * @param replyTimeout after which a database that does not answer counts as failed
   */
  public Session(ConnectionSource source, Duration lockTimeout, Duration replyTimeout) {
    this(source, lockTimeout, replyTimeout, System::nanoTime);
  }

  Session(
      ConnectionSource source, Duration lockTimeout, Duration replyTimeout, LongSupplier nanos) {
    this.source = source;
    this.lockTimeout = lockTimeout;
    this.replyTimeout = replyTimeout;
    this.nanos = nanos;
  }

  /** What kind of database it is; connects only if that is not known yet. */
  public Dialect dialect() throws SQLException {
    if (dialect == null) {
      open();
    }
    return known();
  }

  /**
   * Runs work and commits it. After any error the connection is closed, and with it, unless the
   * commit itself failed, what was done.
   */
  public <R> R inTransaction(Work<R> work) throws Exception {
    Connection opened = open();
    try {
      R result = work.run(opened, known());
      opened.commit();
      lastUsed = nanos.getAsLong();
      return result;
    } catch (SQLException error) {
      discard();
      throw Silence.named(error, replyTimeout);
    } catch (Throwable error) {
      discard();
      throw error;
    }
  }

  /** See {@link #outsideTransaction}. */
  @FunctionalInterface
  public interface Statement {
    void run(Connection connection) throws SQLException;
  }

  /** The same for work without a result. */
  public void doInTransaction(Action action) throws Exception {
    inTransaction(
        (connection, known) -> {
          action.run(connection, known);
          return true;
        });
  }

  /** Runs a statement that commits by itself, and cannot be part of a transaction. */
  public void outsideTransaction(Statement statement) throws SQLException {
    Connection opened = open();
    try {
      opened.setAutoCommit(true);
      statement.run(opened);
      opened.setAutoCommit(false);
      lastUsed = nanos.getAsLong();
    } catch (SQLException error) {
      discard();
      throw Silence.named(error, replyTimeout);
    } catch (Throwable error) {
      discard();
      throw error;
    }
  }

  private Dialect known() {
    Dialect found = dialect;
    if (found == null) {
      throw new IllegalStateException("not connected");
    }
    return found;
  }

  private Connection open() throws SQLException {
    discardIfClosedWhileIdle();
    Connection opened = connection;
    if (opened != null) {
      return opened;
    }
    opened = source.connect();
    connection = opened;
    try {
      limitSilence(opened);
      Dialect found = Dialects.of(opened);
      opened.setAutoCommit(true);
      opened.setTransactionIsolation(found.isolation());
      found.prepareSession(opened, lockTimeout);
      opened.setAutoCommit(false);
      dialect = found;
      lastUsed = nanos.getAsLong();
      return opened;
    } catch (Throwable error) {
      discard();
      throw error;
    }
  }

  /** Nothing has been sent in it, so another one does as well. */
  private void discardIfClosedWhileIdle() throws SQLException {
    Connection idle = connection;
    if (idle == null || nanos.getAsLong() - lastUsed < IDLE.toNanos()) {
      return;
    }
    int seconds = (int) Math.max(1, Math.min(replyTimeout.toSeconds(), Integer.MAX_VALUE));
    if (!idle.isValid(seconds)) {
      LOG.info("A connection was closed while it was idle, and is replaced");
      discard();
    }
  }

  /** Else a host that is gone, or a frozen server, would be waited for without end. */
  private void limitSilence(Connection opened) throws SQLException {
    try {
      // Drivers of databases in this JVM have no network, and some say so by an error.
      if (opened.getNetworkTimeout() == 0) {
        opened.setNetworkTimeout(Runnable::run, Math.toIntExact(replyTimeout.toMillis()));
      }
    } catch (SQLFeatureNotSupportedException | AbstractMethodError noNetwork) {
      LOG.debug("The driver takes no network timeout: {}", noNetwork.toString());
    }
  }

  private void discard() {
    Connection failed = connection;
    connection = null;
    if (failed == null) {
      return;
    }
    // A pool might hand the connection out again with what it holds.
    try (failed) {
      failed.rollback();
    } catch (SQLException alreadyBroken) {
      LOG.debug("Closing a connection after an error", alreadyBroken);
    }
  }

  @Override
  public void close() {
    discard();
  }
}
