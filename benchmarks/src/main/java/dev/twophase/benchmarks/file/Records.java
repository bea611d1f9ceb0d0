package dev.twophase.benchmarks.file;

import java.util.Random;

/** Strings of 100 bytes, made before anything is measured. */
final class Records {

  static final int BYTES = 100;

  /** A power of two, so that picking one costs next to nothing. */
  private static final int COUNT = 1024;

  private static final long SEED = 42;

  private Records() {}

  /** Different ones, of lower-case letters. */
  static String[] make() {
    Random random = new Random(SEED);
    String[] records = new String[COUNT];
    for (int index = 0; index < COUNT; index++) {
      StringBuilder record = new StringBuilder(BYTES);
      random.ints(BYTES, 'a', 'z' + 1).forEach(letter -> record.append((char) letter));
      records[index] = record.toString();
    }
    return records;
  }

  /** One of them for any number. */
  static String pick(String[] records, long number) {
    return records[(int) number & (COUNT - 1)];
  }
}
