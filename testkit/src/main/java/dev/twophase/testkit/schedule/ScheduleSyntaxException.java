package dev.twophase.testkit.schedule;

/** A line is not a schedule. The message quotes the step at fault and says what was expected. */
public final class ScheduleSyntaxException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  ScheduleSyntaxException(String message) {
    super(message);
  }

  ScheduleSyntaxException(String message, Throwable cause) {
    super(message, cause);
  }
}
