package dev.twophase.testkit.internal.oracle;

import dev.twophase.testkit.TestRecord;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What comes from a sink or its records, in a form that any console and log shows as it is. */
public final class Printable {

  private static final int MOST_RECORDS = 5;
  private static final int MOST_CHARACTERS = 4_000;

  /** Control characters, and those that turn the direction of writing or show nothing at all. */
  private static final Pattern NOT_SHOWN = Pattern.compile("[\\p{Cntrl}\\p{Cf}&&[^\n\t]]");

  private Printable() {}

  /** The text, with an escape in the place of each character that is not seen. */
  public static String of(String text) {
    return NOT_SHOWN
        .matcher(text)
        .replaceAll(found -> String.format(Locale.ROOT, "\\\\u%04x", found.group().codePointAt(0)));
  }

  /** No longer than a person reads: an exception's message may hold a whole batch. */
  public static String shortened(String text) {
    int left = text.length() - MOST_CHARACTERS;
    return left > 0
        ? text.substring(0, MOST_CHARACTERS) + " … and " + left + " characters more"
        : text;
  }

  /** The first few records, by id, key and sequence, and how many more there are. */
  public static String of(List<TestRecord> records) {
    String some =
        records.stream().limit(MOST_RECORDS).map(Printable::of).collect(Collectors.joining(", "));
    int left = records.size() - MOST_RECORDS;
    return left > 0 ? some + " and " + left + " more" : some;
  }

  private static String of(TestRecord record) {
    return record.key().isEmpty()
        ? "id " + record.id()
        : "id "
            + record.id()
            + " (key "
            + of(record.key())
            + ", sequence "
            + record.sequence()
            + ")";
  }
}
