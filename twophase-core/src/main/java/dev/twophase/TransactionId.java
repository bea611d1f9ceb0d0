package dev.twophase;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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
  private static final String DIGITS = "0123456789abcdef";

  /** By character; ids are read for each listed transaction at each start. */
  private static final byte[] DIGIT_OF = new byte[128];

  static {
    Arrays.fill(DIGIT_OF, (byte) -1);
    for (byte i = 0; i < DIGITS.length(); i++) {
      DIGIT_OF[DIGITS.charAt(i)] = i;
    }
  }

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
    if (beforeNonce < 0 || text.charAt(beforeNonce) != '.') {
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
    UUID nonce = nonce(text, beforeNonce + 1);
    if (nonce == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new TransactionId(
              text.substring(0, afterName),
              Integer.parseInt(text, afterName + 1, afterSubtask, 10),
              Long.parseLong(text, afterSubtask + 1, beforeNonce, 10),
              nonce));
    } catch (IllegalArgumentException outOfRangeOrNoSinkName) {
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

  /** Null if these are no hexadecimal digits in small letters. */
  private static @Nullable UUID nonce(String text, int from) {
    long most = 0;
    long least = 0;
    int wrong = 0;
    for (int i = from; i < from + NONCE_DIGITS / 2; i++) {
      int high = digit(text.charAt(i));
      int low = digit(text.charAt(i + NONCE_DIGITS / 2));
      wrong |= high | low;
      most = (most << 4) | high;
      least = (least << 4) | low;
    }
    return wrong < 0 ? null : new UUID(most, least);
  }

  /** Negative if it is none. */
  private static int digit(char c) {
    return c < DIGIT_OF.length ? DIGIT_OF[c] : -1;
  }

  /** The text form, read back by {@link #parse}. */
  @Override
  public String toString() {
    byte[] hex = new byte[NONCE_DIGITS];
    putHex(hex, 0, nonce.getMostSignificantBits());
    putHex(hex, NONCE_DIGITS / 2, nonce.getLeastSignificantBits());
    return sinkName
        + '.'
        + subtask
        + '.'
        + since
        + '.'
        + new String(hex, StandardCharsets.ISO_8859_1);
  }

  private static void putHex(byte[] text, int from, long bits) {
    for (int i = from + NONCE_DIGITS / 2 - 1; i >= from; i--) {
      text[i] = (byte) DIGITS.charAt((int) bits & 0xf);
      bits >>>= 4;
    }
  }
}
