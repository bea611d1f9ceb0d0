package dev.twophase.testkit.internal.trace;

import java.util.regex.Pattern;

/** Messages of drivers may quote the settings they were given (S2). */
public final class Secrets {

  private static final Pattern SECRET =
      Pattern.compile("(?i)(password|passwd|pwd|secret|token)\\s*[=:]\\s*[^&;,\\s]+");

  private Secrets() {}

  /** The text without what looks like a secret. */
  public static String masked(String text) {
    return SECRET.matcher(text).replaceAll("$1=***");
  }
}
