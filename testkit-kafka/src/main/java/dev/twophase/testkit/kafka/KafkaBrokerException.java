package dev.twophase.testkit.kafka;

import java.util.List;

/** A broker did not start, stop or obey. The message ends with the broker's last log lines. */
public final class KafkaBrokerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With what the broker said last; empty if it said nothing. */
  public KafkaBrokerException(String what, List<String> lastLogLines) {
    super(withLog(what, lastLogLines));
  }

  /** With the error of a call to it. */
  public KafkaBrokerException(String what, Throwable cause) {
    super(what, cause);
  }

  private static String withLog(String what, List<String> lastLogLines) {
    return lastLogLines.isEmpty()
        ? what + " (its log is empty)"
        : what + ". The last lines of its log:\n  " + String.join("\n  ", lastLogLines);
  }
}
