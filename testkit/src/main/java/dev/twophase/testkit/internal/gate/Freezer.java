package dev.twophase.testkit.internal.gate;

/** Holds a call back, together with the thread that makes it. */
@FunctionalInterface
public interface Freezer {

  /** Returns when the call may go on, or its attempt is dead. */
  void freeze();
}
