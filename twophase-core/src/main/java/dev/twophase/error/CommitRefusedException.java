package dev.twophase.error;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Thrown by a connector's commit when the resource refuses and waiting cannot help, for instance
 * because the target belongs to somebody else. Everything is kept, and the job fails at once.
 *
 * <p>Flink does not restart the job after it: a restart would meet the same. Once the cause is
 * removed, start it from its last checkpoint, which must be retained.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
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
