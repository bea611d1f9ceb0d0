package dev.twophase.error;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * The job was taken back to a point before something it had already published (R6): going on would
 * publish it twice.
 *
 * <p>Flink does not restart the job after it: a restart would meet the same.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class RewindDetectedException extends Exception {

  private static final long serialVersionUID = 1L;

  public RewindDetectedException(String message) {
    super(message);
  }
}
