package dev.twophase.error;

/**
 * Thrown by a connector's commit when the resource refuses and waiting cannot help, for instance
 * because the target belongs to somebody else. Everything is kept, and the job fails at once.
 *
 * <p>Flink restarts it as its restart strategy says, and each restart meets the same until the
 * cause is removed: nothing is lost meanwhile. A job that ended for good would take its checkpoints
 * with it unless they are retained, and with them what is prepared.
 */
public final class CommitRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * @param message what was found, and what to do about it
   */
  public CommitRefusedException(String message) {
    super(message);
  }

  /**
   * @param message what was found, and what to do about it
   * @param cause the error of the resource
   */
  public CommitRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
