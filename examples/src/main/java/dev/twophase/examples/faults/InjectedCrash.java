package dev.twophase.examples.faults;

/**
 * The process "dies" here. An error, not an exception, so that nothing which is meant to survive
 * exceptions survives it.
 */
public final class InjectedCrash extends Error {

  private static final long serialVersionUID = 1L;

  public InjectedCrash(String where) {
    super("Injected crash: " + where);
  }
}
