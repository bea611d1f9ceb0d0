package dev.twophase.error;

/** A later attempt has taken over: this one is a zombie and stops. Nothing is lost. */
public final class TransactionSupersededException extends Exception {

  private static final long serialVersionUID = 1L;

  public TransactionSupersededException(String message) {
    super(message);
  }
}
