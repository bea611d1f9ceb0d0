package dev.twophase.error;

/**
 * The retries of a commit are used up and its outcome is still unknown (C7, C8). Nothing was
 * cleaned up; after the restart the same transaction is asked for again.
 */
public final class OutcomeUnknownException extends Exception {

  private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
