package dev.twophase.examples.faults;

/**
 * The input cut into stretches of about equal length.
 *
 * @param records number of records in all
 * @param count number of stretches
 */
public record Stretches(long records, int count) {

  /** Fewest records a stretch may have: a fault needs some before, some during and some after. */
  public static final int FEWEST_RECORDS = 40;

  /** Position of the first record of a stretch. */
  public long start(int stretch) {
    return records * stretch / count;
  }

  /** Position behind the last record of a stretch. */
  public long end(int stretch) {
    return start(stretch + 1);
  }
}
