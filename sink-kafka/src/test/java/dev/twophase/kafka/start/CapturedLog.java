package dev.twophase.kafka.start;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one class logs while this is open, from INFO on; the tests' own setting keeps it silent.
 * Whatever else goes to standard error meanwhile is caught as well.
 */
public final class CapturedLog implements AutoCloseable {

  private static final int INFO = 20;

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final Logger logger;
  private final int levelBefore;

  /** Starts with what that class logs. */
  public CapturedLog(String className) throws ReflectiveOperationException {
    logger = LoggerFactory.getLogger(className);
    levelBefore = (int) level().get(logger);
    level().set(logger, INFO);
    System.setErr(new PrintStream(text, true, StandardCharsets.UTF_8));
  }

  /** The simple logger has no public way to change it. */
  private Field level() throws ReflectiveOperationException {
    Field field = logger.getClass().getDeclaredField("currentLogLevel");
    field.setAccessible(true);
    return field;
  }

  /** All of it so far. */
  public String text() {
    return text.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws ReflectiveOperationException {
    System.setErr(before);
    level().set(logger, levelBefore);
  }
}
