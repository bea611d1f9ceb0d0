package dev.twophase.benchmarks.job;

import java.util.Random;
import org.apache.flink.util.function.SerializableFunction;

/** Strings of some length, made before anything is measured. */
public final class Records {

  /** The usual length. */
  public static final int BYTES = 100;

  /** A power of two, so that picking one costs next to nothing. */
  private static final int COUNT = 1024;

  private static final long SEED = 42;

  private Records() {}

  /** Different ones of {@link #BYTES} lower-case letters. */
  public static String[] make() {
    return make(BYTES);
  }

  /** Different ones, of lower-case letters. */
  public static String[] make(int bytes) {
    Random random = new Random(SEED);
    String[] records = new String[COUNT];
    for (int index = 0; index < COUNT; index++) {
      StringBuilder record = new StringBuilder(bytes);
      random.ints(bytes, 'a', 'z' + 1).forEach(letter -> record.append((char) letter));
      records[index] = record.toString();
    }
    return records;
  }

  /** The same as a function that a job can carry. */
  public static SerializableFunction<Long, String> picking(String[] records) {
    return number -> pick(records, number);
  }

  /** One of them for any number. */
  public static String pick(String[] records, long number) {
    return records[(int) number & (COUNT - 1)];
  }
}
