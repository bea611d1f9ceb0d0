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
 */
public record Anomaly(Verdict verdict, List<TestRecord> records, String moment, String found) {
  public Anomaly {
    records = List.copyOf(records);
  }
}
