package dev.twophase.testkit.internal.oracle;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import java.util.List;

/**
 * Something that must not be.
 *
 * @param verdict what it is
 * @param records the records concerned; empty if it concerns none
 * @param moment when it was first seen, in words
 * @param found what was seen, in words
 * @param declared whether the sink called it a loss or a rewind
 */
public record Anomaly(
    Verdict verdict, List<TestRecord> records, String moment, String found, boolean declared) {
  public Anomaly {
    records = List.copyOf(records);
  }

  /** One that the sink did not declare. */
  public Anomaly(Verdict verdict, List<TestRecord> records, String moment, String found) {
    this(verdict, records, moment, found, false);
  }
}
