package dev.twophase.testkit.internal.gate;

import java.io.IOException;

/**
 * The error that a sink or client sees. An {@link IOException}, because most calls declare that.
 */
public final class InjectedFaultException extends IOException {

  private static final long serialVersionUID = 1L;

  InjectedFaultException(String message) {
    super(message);
  }
}
