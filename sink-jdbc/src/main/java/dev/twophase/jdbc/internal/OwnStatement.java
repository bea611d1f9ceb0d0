package dev.twophase.jdbc.internal;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** A statement of the job author's own: one, and none that ends or begins a transaction. */
public final class OwnStatement {

  private static final Set<String> ENDS_TRANSACTIONS =
      Set.of(
          "ABORT",
          "ALTER",
          "BEGIN",
          "COMMIT",
          "CREATE",
          "DROP",
          "END",
          "PREPARE",
          "RELEASE",
          "ROLLBACK",
          "SAVEPOINT",
          "SET",
          "START",
          "TRUNCATE");

  /** Text, quoted names and comments, in which a semicolon separates nothing. */
  private static final Pattern QUOTED =
      Pattern.compile(
          "'(?:[^'\\\\]|\\\\.|'')*'|\"[^\"]*\"|`[^`]*`|\\$(\\w*)\\$.*?\\$\\1\\$|--[^\n]*|/\\*.*?\\*/",
          Pattern.DOTALL);

  private OwnStatement() {}

  /**
   * Returns the statement if it is fit.
   *
   * @throws IllegalArgumentException if it is empty, more than one, or not about data
   */
  public static String checked(String statement) {
    String bare =
        QUOTED
            .matcher(statement)
            .replaceAll(found -> found.group().matches("(?s)(--|/\\*).*") ? " " : "x")
            .strip();
    if (bare.isEmpty()) {
      throw new IllegalArgumentException("sql is empty: give a statement that writes a record");
    }
    if (bare.replaceFirst(";\\s*$", "").contains(";")) {
      throw new IllegalArgumentException(
          "sql holds several statements: give one, or put them into a function or procedure");
    }
    String first = bare.split("\\W+", 2)[0].toUpperCase(Locale.ROOT);
    if (ENDS_TRANSACTIONS.contains(first)) {
      throw new IllegalArgumentException(
          "sql begins with "
              + first
              + ": give a statement that acts on data only; transactions are the sink's");
    }
    return statement;
  }
}
