package dev.twophase.error;

/**
 * The job was taken back to a point before something it had already published (R6): going on would
 * publish it twice.
 */
public final class RewindDetectedException extends Exception {

  private static final long serialVersionUID = 1L;

  public RewindDetectedException(String message) {
    super(message);
  }
}
