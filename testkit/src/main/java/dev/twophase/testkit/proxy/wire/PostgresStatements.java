package dev.twophase.testkit.proxy.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Which statement is executed, told from what was parsed and bound before on one connection. */
final class PostgresStatements {

  private static final int TYPE_AND_LENGTH = 5;
  private static final String UNKNOWN = "Execute";

  /** First words, by the name of the prepared statement. */
  private final Map<String, String> parsed = new HashMap<>();

  /** First words, by the name of the portal. */
  private final Map<String, String> bound = new HashMap<>();

  /** What schedules call a message; empty if it is no point for them. */
  String pointOf(char type, ByteBuffer message) {
    ByteBuffer body = message.duplicate();
    body.position(message.position() + TYPE_AND_LENGTH);
    switch (type) {
      case 'P' -> {
        String statement = text(body);
        parsed.put(statement, firstWord(text(body)));
      }
      case 'B' -> {
        String portal = text(body);
        bound.put(portal, parsed.getOrDefault(text(body), UNKNOWN));
      }
      case 'E' -> {
        return "Postgres." + bound.getOrDefault(text(body), UNKNOWN);
      }
      case 'Q' -> {
        return "Postgres." + firstWord(text(body));
      }
      case 'c' -> {
        return "Postgres.CopyDone";
      }
      default -> {
        return "";
      }
    }
    return "";
  }

  private static String text(ByteBuffer body) {
    int start = body.position();
    while (body.get() != 0) {
      // Up to the zero that ends it.
    }
    byte[] bytes = new byte[body.position() - 1 - start];
    body.duplicate().position(start).get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String firstWord(String sql) {
    String trimmed = sql.strip();
    int end = 0;
    while (end < trimmed.length() && Character.isLetter(trimmed.charAt(end))) {
      end++;
    }
    return end == 0 ? UNKNOWN : trimmed.substring(0, end).toUpperCase(Locale.ROOT);
  }
}
