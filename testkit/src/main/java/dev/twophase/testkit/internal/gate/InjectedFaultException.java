package dev.twophase.testkit.internal.gate;

import java.io.IOException;

/**
 * The error that a sink or client sees. An {@link IOException}, because most calls declare that.
 */
public final class InjectedFaultException extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean keepsStack;

  InjectedFaultException(String message, boolean keepsStack) {
    super(message);
    this.keepsStack = keepsStack;
    if (keepsStack) {
      super.fillInStackTrace();
    }
  }

  /** Called while the field above is not set yet, by a constructor that cannot leave it out. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return keepsStack ? super.fillInStackTrace() : this;
  }
}
