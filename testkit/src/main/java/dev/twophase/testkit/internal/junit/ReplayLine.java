package dev.twophase.testkit.internal.junit;

import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.schedule.Schedule;
import java.util.List;
import java.util.Optional;

/** The one schedule that a test class is asked to run, and how to ask it. */
public final class ReplayLine {

  private static final String BEGINNING = "2pk/";

  /** What each attempt loads anew in a replay: full names of packages or classes. */
  private static final String ISOLATED_PROPERTY = "twophase.isolated";

  private ReplayLine() {}

  /**
   * The schedule that the system property asks this test class to run; empty if none.
   *
   * @param test full name of the class
   */
  static Optional<String> askedOf(String test) {
    String value = System.getProperty(SinkKit.REPLAY_PROPERTY);
    if (value == null) {
      return Optional.empty();
    }
    int line = value.indexOf(BEGINNING);
    String asked = line < 0 ? "" : value.substring(0, line).replace(":", "").strip();
    if (asked.isEmpty()) {
      return Optional.of(line < 0 ? value : value.substring(line));
    }
    if (asked.equals(test) || asked.equals(nameOf(test))) {
      return Optional.of(value.substring(line));
    }
    // A class name with a mistake in it looks like that of another class.
    System.out.printf(
        "%s: runs all its schedules, for -D%s asks another test class, %s, for one%n",
        nameOf(test), SinkKit.REPLAY_PROPERTY, asked);
    return Optional.empty();
  }

  /**
   * The command that runs a schedule alone. It may be pasted into a shell, which leaves what is in
   * single quotes as it is: outside of them, or in double ones, a {@code !} is a command.
   *
   * @param anew what each attempt is to load anew, besides what the sink declares
   */
  static String command(String testClass, Schedule schedule, List<String> anew) {
    String test = nameOf(testClass);
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
        + "'"
        + (anew.isEmpty() ? "" : " -D" + ISOLATED_PROPERTY + "='" + String.join(",", anew) + "'");
  }

  /** What each attempt is to load anew in the replay that was asked for. */
  static List<String> isolated() {
    String value = System.getProperty(ISOLATED_PROPERTY, "");
    return value.isBlank() ? List.of() : List.of(value.strip().split("\\s*,\\s*"));
  }

  /** The name of a test class as Maven wants it. */
  private static String nameOf(String test) {
    return test.substring(test.lastIndexOf('.') + 1);
  }
}
