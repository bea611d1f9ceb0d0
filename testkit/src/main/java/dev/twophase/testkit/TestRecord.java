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
 */
public record TestRecord(long id, String key, long sequence) {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,18}):([^:]*):(\\d{1,18})");

  public TestRecord {
    Objects.requireNonNull(key, "key");
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
      throw new IllegalArgumentException("'" + text + "' is no record: expected id:key:sequence");
    }
    return new TestRecord(
        Long.parseLong(matcher.group(1)), matcher.group(2), Long.parseLong(matcher.group(3)));
  }

  /** One line without line break, such as {@code 17:k3:2}: ready input for a sink of strings. */
  public String asText() {
    return id + ":" + key + ":" + sequence;
  }
}
