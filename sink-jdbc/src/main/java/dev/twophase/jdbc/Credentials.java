package dev.twophase.jdbc;

import java.util.Objects;

/**
 * A user and a password, for the moment of connecting. Never stored, logged or shown (S2).
 *
 * @param user name
 * @param password secret
 */
public record Credentials(String user, String password) {
  public Credentials {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "Credentials[" + user + "]";
  }
}
