package dev.twophase.error;

/**
 * A prepared transaction is proven lost and the loss policy is to fail (C9). Restarting meets it
 * again, until a quarantine is configured or the resource is mended.
 */
public final class TransactionLostException extends Exception {

  private static final long serialVersionUID = 1L;

  public TransactionLostException(String message) {
    super(message);
  }
}
