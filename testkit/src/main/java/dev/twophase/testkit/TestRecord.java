package dev.twophase.testkit;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One record of a schedule. The kit makes it; the sink's author turns it into the sink's input type
 * and back.
 *
 * @param id unique in the run, from 1; what the oracle counts
 * @param key records of one key keep their order (V1)
 * @param sequence position within the key, from 0
 * @param attempt number of the attempt to which this copy was delivered, from 0; {@link #UNKNOWN}
 *     if that could not be read back: copies of abandoned attempts are then not told apart
 */
public record TestRecord(long id, String key, long sequence, int attempt) {

  /** Nobody says to which attempt a copy was delivered. */
  public static final int UNKNOWN = -1;

  private static final int MOST_LETTERS = 60;

  /** What would not be seen in a message, and what separates the fields of {@link #asText}. */
  private static final Pattern NOT_SHOWN = Pattern.compile("[^\\x20-\\x7e]|:");

  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,18}):([^:]*):(\\d{1,18})(?::(\\d{1,9}))?");

  public TestRecord {
    Objects.requireNonNull(key, "key");
  }

  /** A record of which it is not known to which attempt it was delivered. */
  public TestRecord(long id, String key, long sequence) {
    this(id, key, sequence, UNKNOWN);
  }

  /** The copy of this record that is delivered to an attempt. */
  public TestRecord deliveredTo(int number) {
    return new TestRecord(id, key, sequence, number);
  }

  /**
   * A record of which only the id could be read back. The oracle then compares neither payload nor
   * order.
   */
  public static TestRecord ofId(long id) {
    return new TestRecord(id, "", 0);
  }

  /**
   * Reads what {@link #asText} wrote. From any other text comes a record that was never written: a
   * sink that shows one is accused of CORRUPT.
   */
  public static TestRecord fromText(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      return unreadable(text);
    }
    String attempt = matcher.group(4);
    return new TestRecord(
        Long.parseLong(matcher.group(1)),
        matcher.group(2),
        Long.parseLong(matcher.group(3)),
        attempt == null ? UNKNOWN : Integer.parseInt(attempt));
  }

  private static TestRecord unreadable(String text) {
    String shown = text.substring(0, Math.min(text.length(), MOST_LETTERS));
    return new TestRecord(0, "unreadable '" + NOT_SHOWN.matcher(shown).replaceAll(".") + "'", 0);
  }

  /** One line without line break, such as {@code 17:k3:2:0}: ready input for a sink of strings. */
  public String asText() {
    String text = id + ":" + key + ":" + sequence;
    return attempt == UNKNOWN ? text : text + ":" + attempt;
  }
}
