package dev.twophase.error;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A prepared transaction is proven lost and the loss policy is to fail (C9).
 *
 * <p>Flink does not restart the job after it: a restart would meet the same. It goes on from its
 * last checkpoint, which must be retained, once a quarantine is configured.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class TransactionLostException extends Exception {

  private static final long serialVersionUID = 1L;

  public TransactionLostException(String message) {
    super(message);
  }
}
