package dev.twophase.error;

import java.io.IOException;

/** State cannot be read: it is newer than this release, foreign, or damaged (S1, S4, S5). */
public final class UnreadableStateException extends IOException {

  private static final long serialVersionUID = 1L;

  public UnreadableStateException(String message) {
    super(message);
  }

  public UnreadableStateException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Rejects a version that this release does not know.
   *
   * @param what what is being read
   * @param written version found in the state
   * @param newest newest version this release reads
   * @throws UnreadableStateException if {@code written} is not between 1 and {@code newest}
   */
  public static void checkVersion(String what, int written, int newest)
      throws UnreadableStateException {
    if (written < 1 || written > newest) {
      throw new UnreadableStateException(
          "The state holds a "
              + what
              + " of format version "
              + written
              + "; this release reads versions 1 to "
              + newest
              + ". Restore with the release that wrote it, or a newer one");
    }
  }
}
