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
   * Reads what {@link #asText} wrote.
   *
   * @throws IllegalArgumentException if the text is not such a form, quoting it
   */
  public static TestRecord fromText(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no record: expected id:key:sequence:attempt");
    }
    String attempt = matcher.group(4);
    return new TestRecord(
        Long.parseLong(matcher.group(1)),
        matcher.group(2),
        Long.parseLong(matcher.group(3)),
        attempt == null ? UNKNOWN : Integer.parseInt(attempt));
  }

  /** One line without line break, such as {@code 17:k3:2:0}: ready input for a sink of strings. */
  public String asText() {
    String text = id + ":" + key + ":" + sequence;
    return attempt == UNKNOWN ? text : text + ":" + attempt;
  }
}
