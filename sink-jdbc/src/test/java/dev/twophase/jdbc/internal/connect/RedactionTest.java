package dev.twophase.jdbc.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Drivers quote what they were given, at times. */
class RedactionTest {

  private static final String SECRET = "hunter2-hunter2";

  private static String traceOf(SQLException error) {
    StringWriter trace = new StringWriter();
    Redaction.without(SECRET, error).printStackTrace(new PrintWriter(trace, true));
    return trace.toString();
  }

  @Test
  void S2_aPasswordThatADriverQuotesIsLeftOut() {
    SQLException own = new SQLException("app/" + SECRET + " may not connect", "28000", 7);
    SQLException cause = new SQLException("refused", new IllegalStateException("for " + SECRET));

    assertThat(traceOf(own)).contains("app/*** may not connect").doesNotContain(SECRET);
    assertThat(traceOf(cause)).contains("refused").doesNotContain(SECRET);
    SQLException redacted = Redaction.without(SECRET, own);
    assertThat(redacted.getSQLState()).isEqualTo("28000");
    assertThat(redacted.getErrorCode()).isEqualTo(7);
  }

  @Test
  void S2_whatADriverQuotesInASecondErrorIsLeftOut() {
    SQLException first = new SQLException("refused");
    first.setNextException(new SQLException("for " + SECRET));
    first.addSuppressed(new IllegalStateException("also " + SECRET));

    assertThat(traceOf(first)).contains("refused").doesNotContain(SECRET);
    assertThat(Redaction.without(SECRET, first).getNextException() == null).isTrue();
  }
}
