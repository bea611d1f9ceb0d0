package dev.twophase.testkit.internal.watch;

/** What an attempt is held to have died of when a call of it never returned. */
public final class HungException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public HungException(String message) {
    super(message);
  }
}
