package dev.twophase.testkit.internal.watch;

import org.jspecify.annotations.Nullable;

/**
 * The run cannot go on and proves nothing: a step does not exist in this tier (it is never
 * approximated), or what the sink's author supplied to the kit failed.
 */
public final class InconclusiveException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean mistakeOfTest;

  public InconclusiveException(String message) {
    super(message);
    mistakeOfTest = false;
  }

  public InconclusiveException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private InconclusiveException(String message, @Nullable Throwable cause, boolean mistakeOfTest) {
    super(message, cause);
    this.mistakeOfTest = mistakeOfTest;
  }

  /** A method that the sink's author wrote for the kit failed. */
  public static InconclusiveException mistakeOfTest(String message, @Nullable Throwable cause) {
    return new InconclusiveException(message, cause, true);
  }

  /** Whether a method failed that the sink's author wrote for the kit. */
  public boolean isMistakeOfTest() {
    return mistakeOfTest;
  }
}
