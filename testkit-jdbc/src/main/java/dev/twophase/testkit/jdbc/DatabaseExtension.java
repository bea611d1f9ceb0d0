package dev.twophase.testkit.jdbc;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * A database for the tests of a class: {@code @RegisterExtension static final
 * DatabaseExtension<PostgresServer> database = DatabaseExtension.of(() ->
 * PostgresServer.builder().build())}. Started before all of them and gone after; a test that fails
 * shows the end of the server's log. For the thread of JUnit that runs the class.
 *
 * @param <S> kind of the server
 */
public final class DatabaseExtension<S extends DatabaseServer>
    implements BeforeAllCallback, AfterAllCallback, TestExecutionExceptionHandler {

  private final Callable<S> factory;
  private @Nullable S server;

  private DatabaseExtension(Callable<S> factory) {
    this.factory = factory;
  }

  /**
   * Registers a database.
   *
   * @param factory makes the server, not yet started
   */
  public static <S extends DatabaseServer> DatabaseExtension<S> of(Callable<S> factory) {
    return new DatabaseExtension<>(factory);
  }

  /**
   * The running server.
   *
   * @throws IllegalStateException outside the tests of the class
   */
  public S server() {
    S started = server;
    if (started == null) {
      throw new IllegalStateException("The database is there while tests of its class run");
    }
    return started;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    S made = factory.call();
    server = made;
    made.start();
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    S started = server;
    server = null;
    if (started != null) {
      started.close();
    }
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    failure.addSuppressed(new ServerLog(server().log()));
    throw failure;
  }

  /** What the server said, where a reader of the failure finds it. */
  private static final class ServerLog extends Exception {
    private static final long serialVersionUID = 1L;

    ServerLog(String text) {
      super("the server's log ends with:\n" + text, null, false, false);
    }
  }
}
