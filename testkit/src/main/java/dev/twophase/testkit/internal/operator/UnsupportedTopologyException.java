package dev.twophase.testkit.internal.operator;

/** A sink has a part that this tier cannot run faithfully; the message names the part and why. */
public final class UnsupportedTopologyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnsupportedTopologyException(String part, String why, String remedy) {
    super("the operator tier cannot run " + part + ": " + why + "; " + remedy);
  }
}
