package dev.twophase;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final Pattern SINK_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

  private static final Pattern TEXT =
      Pattern.compile("(" + SINK_NAME + ")\\.(\\d{1,10})\\.(\\d{1,19})\\.([0-9a-f]{32})");

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
    if (name.length() > MAX_SINK_NAME_LENGTH || !SINK_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Sink name '"
              + name
              + "' is not valid: use 1 to "
              + MAX_SINK_NAME_LENGTH
              + " letters, digits, '_' or '-', beginning with a letter or digit");
    }
    return name;
  }

  /** Reads the text form; empty if the text is not one, for instance a foreign file's name. */
  public static Optional<TransactionId> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches() || matcher.group(1).length() > MAX_SINK_NAME_LENGTH) {
      return Optional.empty();
    }
    try {
      String nonce = matcher.group(4);
      return Optional.of(
          new TransactionId(
              matcher.group(1),
              Integer.parseInt(matcher.group(2)),
              Long.parseLong(matcher.group(3)),
              new UUID(
                  Long.parseUnsignedLong(nonce.substring(0, 16), 16),
                  Long.parseUnsignedLong(nonce.substring(16), 16))));
    } catch (NumberFormatException outOfRange) {
      return Optional.empty();
    }
  }

  /** The text form, read back by {@link #parse}. */
  @Override
  public String toString() {
    return sinkName + "." + subtask + "." + since + "." + hex(nonce);
  }

  private static String hex(UUID nonce) {
    return nonce.toString().replace("-", "");
  }
}
