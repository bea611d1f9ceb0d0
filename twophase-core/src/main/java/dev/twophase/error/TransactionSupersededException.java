package dev.twophase.error;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A later attempt has taken over: this one is a zombie and stops. Nothing is lost.
 *
 * <p>Flink does not restart the job after it: a restart would meet the same.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class TransactionSupersededException extends Exception {

  private static final long serialVersionUID = 1L;

  public TransactionSupersededException(String message) {
    super(message);
  }
}
