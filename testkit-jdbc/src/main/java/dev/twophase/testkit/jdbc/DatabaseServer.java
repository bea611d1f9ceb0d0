package dev.twophase.testkit.jdbc;

import dev.twophase.testkit.jdbc.internal.Ports;
import dev.twophase.testkit.jdbc.internal.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;

/**
 * A real database in a process of its own, on a free port of the loopback interface. It can be
 * killed by SIGKILL and started again on the same data, with settings under which what it
 * acknowledged survives. It ends with the process that started it, however that ends.
 *
 * <p>Not thread-safe, except {@link #connect} and what tells addresses.
 */
public abstract class DatabaseServer implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final String title;
  private final Path directory;
  private final int port;
  private final Thread atExit = new Thread(this::endAtExit, "end of a database");
  private volatile @Nullable ServerProcess process;

  DatabaseServer(String title) throws IOException {
    this.title = title;
    this.directory = Files.createTempDirectory("twophase-" + title + "-");
    this.port = Ports.free();
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** The address for a driver, without credentials. */
  public abstract String url();

  /** For a driver, beside {@link #url}. */
  public abstract String user();

  /** That of the {@link #user}. */
  public abstract String password();

  /** Makes the data; called once. */
  abstract void initialize() throws IOException, InterruptedException;

  abstract ServerProcess launch(Path log) throws IOException, InterruptedException;

  /** Same over restarts. */
  public final int port() {
    return port;
  }

  final Path directory() {
    return directory;
  }

  /**
   * Starts it, for the first time or again, and returns when it answers.
   *
   * @throws IllegalStateException with the server's log if it does not
   */
  public final void start() throws IOException, InterruptedException {
    ServerProcess last = process;
    if (last != null && last.isAlive()) {
      throw new IllegalStateException(title + " is running");
    }
    if (last == null) {
      initialize();
    }
    ServerProcess started = launch(directory.resolve("server.log"));
    process = started;
    awaitAnswer(started);
  }

  private void awaitAnswer(ServerProcess started) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try (Connection connection = connect()) {
        return;
      } catch (SQLException notYet) {
        if (!started.isAlive() || System.nanoTime() > deadline) {
          throw new IllegalStateException(title + " did not start:\n" + log(), notYet);
        }
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }

  /**
   * A new connection.
   *
   * @throws SQLException if it does not answer
   */
  public final Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), user(), password());
  }

  /** Ends it as an operator would; connections are cut. */
  public final void stop() throws InterruptedException {
    running().stop();
  }

  /** Ends it and all of its processes by SIGKILL, and returns when they are gone. */
  public final void kill() throws InterruptedException {
    running().kill();
  }

  /** The end of what it said on all of its starts. */
  public final String log() {
    ServerProcess last = process;
    return last == null ? "" : last.logTail();
  }

  private ServerProcess running() {
    ServerProcess last = process;
    if (last == null || !last.isAlive()) {
      throw new IllegalStateException(title + " is not running:\n" + log());
    }
    return last;
  }

  /** Ends it and deletes its data, as happens when this JVM ends at the latest. */
  @Override
  public final void close() throws IOException, InterruptedException {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException exiting) {
      // The hook does, or has done, the same.
      return;
    }
    end();
  }

  private void endAtExit() {
    try {
      end();
    } catch (IOException | InterruptedException error) {
      System.err.println("Could not remove " + directory + ": " + error);
    }
  }

  private void end() throws IOException, InterruptedException {
    ServerProcess last = process;
    if (last != null && last.isAlive()) {
      last.kill();
    }
    FileUtils.deleteDirectory(directory.toFile());
  }

  @Override
  public final String toString() {
    return title + " at " + url();
  }
}
