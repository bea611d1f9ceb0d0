package dev.twophase.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * A user and a password, for the moment of connecting. Never stored, logged or shown (S2).
 *
 * @param user name
 * @param password secret
 */
public record Credentials(String user, String password) {

  /**
   * @throws IllegalArgumentException if one of them is null, as an environment variable is that is
   *     not set where the job runs
   */
  public Credentials {
    check("user", user);
    check("password", password);
  }

  private static void check(String what, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "the " + what + " is null: provide it where the job runs, for instance as a variable");
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "Credentials[" + user + "]";
  }
}
