package dev.twophase.testkit.internal.junit;

import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.schedule.Schedule;
import java.util.Optional;

/** The one schedule that a test class is asked to run, and how to ask it. */
public final class ReplayLine {

  private static final String BEGINNING = "2pk/";

  private ReplayLine() {}

  /** The schedule that the system property asks this test class to run; empty if none. */
  static Optional<String> askedOf(String test) {
    String value = System.getProperty(SinkKit.REPLAY_PROPERTY);
    if (value == null) {
      return Optional.empty();
    }
    int line = value.indexOf(BEGINNING);
    String asked = line < 0 ? "" : value.substring(0, line).strip();
    if (asked.isEmpty()) {
      return Optional.of(value);
    }
    return asked.equals(test + ":") ? Optional.of(value.substring(line)) : Optional.empty();
  }

  /**
   * The command that runs a schedule alone. It may be pasted into a shell, which leaves what is in
   * single quotes as it is: outside of them, or in double ones, a {@code !} is a command.
   */
  static String command(String test, Schedule schedule) {
    String quote = test.indexOf('$') < 0 ? "" : "'";
    return "mvn test -Dtest="
        + quote
        + test
        + quote
        + " -D"
        + SinkKit.REPLAY_PROPERTY
        + "='"
        + test
        + ": "
        + schedule
        + "'";
  }

  /** The name of a test class as Maven wants it. */
  public static String nameOf(Class<?> test) {
    String name = test.getName();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
