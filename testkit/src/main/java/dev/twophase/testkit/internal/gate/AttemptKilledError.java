package dev.twophase.testkit.internal.gate;

/**
 * Unwinds the stack of a killed attempt. An error, so that a sink that handles exceptions does not
 * handle its own death; whatever it does nevertheless is severed by the gate.
 */
public final class AttemptKilledError extends Error {

  private static final long serialVersionUID = 1L;

  AttemptKilledError(String message) {
    super(message, null, false, false);
  }
}
