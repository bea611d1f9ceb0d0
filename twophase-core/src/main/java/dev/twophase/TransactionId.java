package dev.twophase;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Names a transaction, for ever and everywhere (W6): sink name, subtask, the checkpoint since which
 * it holds records, and the attempt's 128-bit nonce. Two attempts never share a nonce, and one
 * attempt begins at most one transaction per checkpoint interval.
 *
 * <p>The text form {@code orders.3.17.00c0ffee…} (nonce as 32 hex digits) may be used as a file
 * name, a transactional id or a key: it contains only letters, digits, {@code _}, {@code -} and
 * three dots. Because a sink name has no dot, ids of {@code orders} and {@code orders-eu} are told
 * apart by parsing, not by prefix.
 *
 * @param sinkName name of the sink, see {@link #checkSinkName}
 * @param subtask index of the subtask that began it, from 0
 * @param since the attempt's last checkpoint when it was begun, else the restored checkpoint, else
 *     0
 * @param nonce random per attempt
 */
public record TransactionId(String sinkName, int subtask, long since, UUID nonce) {

  /** Longest sink name; leaves room for an id in one path component on every file system. */
  public static final int MAX_SINK_NAME_LENGTH = 100;

  private static final int NONCE_DIGITS = 32;
  private static final int MOST_DIGITS_OF_SUBTASK = 10;
  private static final int MOST_DIGITS_OF_SINCE = 19;

  public TransactionId {
    checkSinkName(sinkName);
    Objects.requireNonNull(nonce, "nonce");
    if (subtask < 0) {
      throw new IllegalArgumentException("subtask is " + subtask + ": use 0 or more");
    }
    if (since < 0) {
      throw new IllegalArgumentException("since is " + since + ": use a checkpoint's number, or 0");
    }
  }

  /**
   * Returns the name if it is a valid sink name: letters, digits, {@code _} and {@code -}, not
   * starting with a sign, at most {@value #MAX_SINK_NAME_LENGTH} characters.
   *
   * @throws IllegalArgumentException if it is not, naming the value and what is allowed
   */
  public static String checkSinkName(String name) {
    Objects.requireNonNull(name, "sink name");
    if (!isSinkName(name)) {
      throw new IllegalArgumentException(
          "Sink name '"
              + name
              + "' is not valid: use 1 to "
              + MAX_SINK_NAME_LENGTH
              + " letters, digits, '_' or '-', beginning with a letter or digit");
    }
    return name;
  }

  private static boolean isSinkName(String name) {
    if (name.isEmpty() || name.length() > MAX_SINK_NAME_LENGTH) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean sign = i > 0 && (c == '_' || c == '-');
      if (!letter && !isDigit(c) && !sign) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Reads the text form; empty if the text is not one, for instance a foreign file's name. */
  public static Optional<TransactionId> parse(String text) {
    int beforeNonce = text.length() - NONCE_DIGITS - 1;
    if (beforeNonce < 0 || text.charAt(beforeNonce) != '.' || !isNonce(text, beforeNonce + 1)) {
      return Optional.empty();
    }
    int afterName = text.indexOf('.');
    int afterSubtask = text.indexOf('.', afterName + 1);
    if (afterSubtask < 0
        || afterSubtask >= beforeNonce
        || !isNumber(text, afterName + 1, afterSubtask, MOST_DIGITS_OF_SUBTASK)
        || !isNumber(text, afterSubtask + 1, beforeNonce, MOST_DIGITS_OF_SINCE)) {
      return Optional.empty();
    }
    String name = text.substring(0, afterName);
    if (!isSinkName(name)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new TransactionId(
              name,
              Integer.parseInt(text, afterName + 1, afterSubtask, 10),
              Long.parseLong(text, afterSubtask + 1, beforeNonce, 10),
              new UUID(
                  hexDigits(text, beforeNonce + 1),
                  hexDigits(text, beforeNonce + 1 + NONCE_DIGITS / 2))));
    } catch (NumberFormatException outOfRange) {
      return Optional.empty();
    }
  }

  private static boolean isNumber(String text, int from, int to, int mostDigits) {
    for (int i = from; i < to; i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
    }
    return from < to && to - from <= mostDigits;
  }

  private static boolean isNonce(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isDigit(c) && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  private static long hexDigits(String text, int from) {
    long bits = 0;
    for (int i = from; i < from + NONCE_DIGITS / 2; i++) {
      char c = text.charAt(i);
      bits = (bits << 4) | (isDigit(c) ? c - '0' : c - 'a' + 10);
    }
    return bits;
  }

  /** The text form, read back by {@link #parse}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(sinkName.length() + NONCE_DIGITS + 16);
    text.append(sinkName).append('.').append(subtask).append('.').append(since).append('.');
    appendHex(text, nonce.getMostSignificantBits());
    appendHex(text, nonce.getLeastSignificantBits());
    return text.toString();
  }

  private static void appendHex(StringBuilder text, long bits) {
    for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
      text.append(Character.forDigit((int) (bits >>> shift) & 0xf, 16));
    }
  }
}
