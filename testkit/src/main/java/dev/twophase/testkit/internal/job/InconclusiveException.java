package dev.twophase.testkit.internal.job;

/**
 * The run cannot go on and proves nothing: a step does not exist in this tier (it is never
 * approximated), or what the sink's author supplied to the kit failed.
 */
public final class InconclusiveException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public InconclusiveException(String message) {
    super(message);
  }

  public InconclusiveException(String message, Throwable cause) {
    super(message, cause);
  }
}
