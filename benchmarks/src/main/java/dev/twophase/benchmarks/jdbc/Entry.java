package dev.twophase.benchmarks.jdbc;

import java.io.Serializable;

/** A row: a number, 50 characters, a fraction. */
record Entry(long id, String text, double fraction) implements Serializable {

  private static final int TEXTS = 1_000;
  private static final String[] PREPARED = new String[TEXTS];

  static {
    for (int i = 0; i < TEXTS; i++) {
      PREPARED[i] = String.format("%010d", i).repeat(5);
    }
  }

  static Entry of(long id) {
    return new Entry(id, PREPARED[(int) (id % TEXTS)], id / 8.0);
  }
}
