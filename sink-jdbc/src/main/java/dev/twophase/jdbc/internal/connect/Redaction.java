package dev.twophase.jdbc.internal.connect;

import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Keeps a password out of what drivers say (S2). */
final class Redaction {

  private Redaction() {}

  /** The error itself if nothing that comes with it quotes the secret; else a copy without. */
  static SQLException without(String secret, SQLException error) {
    if (secret.isEmpty() || !quotes(secret, error)) {
      return error;
    }
    return new SQLException(
        String.valueOf(error.getMessage()).replace(secret, "***"),
        error.getSQLState(),
        error.getErrorCode());
  }

  private static boolean quotes(String secret, @Nullable Throwable error) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (String.valueOf(each.getMessage()).contains(secret)
          || (each instanceof SQLException one && quotes(secret, one.getNextException()))
          || Arrays.stream(each.getSuppressed()).anyMatch(other -> quotes(secret, other))) {
        return true;
      }
    }
    return false;
  }
}
