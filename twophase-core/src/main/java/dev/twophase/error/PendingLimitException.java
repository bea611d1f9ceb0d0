package dev.twophase.error;

/** Too many transactions, or bytes of handles, wait for their commit (S3). */
public final class PendingLimitException extends Exception {

  private static final long serialVersionUID = 1L;

  public PendingLimitException(String message) {
    super(message);
  }
}
