package dev.twophase.testkit.kafka.internal;

/** Who may speak to a SASL listener that lives on the loopback for the time of a test. */
public final class Credentials {

  public static final String USER = "tester";
  public static final String PASSWORD = "tester-secret";

  private Credentials() {}
}
