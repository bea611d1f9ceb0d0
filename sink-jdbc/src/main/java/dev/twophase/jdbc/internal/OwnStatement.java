package dev.twophase.jdbc.internal;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement of the job author's own: one, and none that ends or begins a transaction, as far as
 * its first word tells: a procedure may do so, too.
 */
public final class OwnStatement {

  /**
   * They end the transaction that they run in, on one database or another (MariaDB and MySQL commit
   * before many), cannot run in one, or change the connection for what comes after it.
   */
  private static final Set<String> NOT_ABOUT_DATA =
      Set.of(
          ("ABORT ALTER ANALYZE BACKUP BEGIN CHANGE CHECK CHECKPOINT CLUSTER "
                  + "COMMENT COMMIT COPY CREATE DEALLOCATE DISCARD DROP END FLUSH GRANT "
                  + "INSTALL KILL LISTEN LOAD LOCK OPTIMIZE PREPARE PURGE REINDEX RELEASE "
                  + "RENAME REPAIR RESET REVOKE ROLLBACK RUNSCRIPT SAVEPOINT SET SHUTDOWN "
                  + "START STOP TRUNCATE UNINSTALL UNLISTEN UNLOCK USE VACUUM XA")
              .split(" "));

  private static final Pattern FIRST_WORDS = Pattern.compile("(\\w+)(\\s+IMMEDIATE\\b)?");

  /** As many as the statement begins with. */
  private static final Pattern MYSQL_COMMENTS = Pattern.compile("\\A(\\s*#[^\n]*(\n|\\z))*");

  /** MySQL and MariaDB run what is in it. */
  private static final Pattern RUN_COMMENT = Pattern.compile("(?s)/\\*M?!\\d*(.*?)\\*/");

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
            .matcher(MYSQL_COMMENTS.matcher(statement).replaceFirst(""))
            .replaceAll(found -> Matcher.quoteReplacement(bare(found.group())))
            .strip();
    if (bare.isEmpty()) {
      throw new IllegalArgumentException("sql is empty: give a statement that writes a record");
    }
    if (bare.replaceFirst(";\\s*$", "").contains(";")) {
      throw new IllegalArgumentException(
          "sql holds several statements: give one, or put them into a function or procedure");
    }
    Matcher words = FIRST_WORDS.matcher(bare.toUpperCase(Locale.ROOT));
    String first = words.find() ? words.group(1) : "";
    boolean anything = first.equals("EXECUTE") && words.group(2) != null;
    if (NOT_ABOUT_DATA.contains(first) || anything) {
      throw new IllegalArgumentException(
          "sql begins with "
              + first
              + ": give a statement that acts on data only; transactions are the sink's");
    }
    return statement;
  }

  /** What a quoted part or a comment is for the two questions asked here. */
  private static String bare(String part) {
    Matcher run = RUN_COMMENT.matcher(part);
    if (run.matches()) {
      return " " + run.group(1) + " ";
    }
    return part.startsWith("--") || part.startsWith("/*") ? " " : "x";
  }
}
