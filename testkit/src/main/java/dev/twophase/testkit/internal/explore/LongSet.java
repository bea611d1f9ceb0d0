package dev.twophase.testkit.internal.explore;

/** Hashes, each once, without an object for each. Zero counts as one more value. */
final class LongSet {

  private long[] table = new long[64];
  private int size;
  private boolean hasZero;

  boolean add(long value) {
    if (value == 0) {
      boolean added = !hasZero;
      hasZero = true;
      return added;
    }
    if (size * 2 >= table.length) {
      grow();
    }
    return insert(value);
  }

  private boolean insert(long value) {
    int mask = table.length - 1;
    int at = (int) (value ^ (value >>> 32)) & mask;
    while (table[at] != 0) {
      if (table[at] == value) {
        return false;
      }
      at = (at + 1) & mask;
    }
    table[at] = value;
    size++;
    return true;
  }

  private void grow() {
    long[] before = table;
    table = new long[before.length * 2];
    size = 0;
    for (long value : before) {
      if (value != 0) {
        insert(value);
      }
    }
  }

  void addAll(LongSet other) {
    for (long value : other.table) {
      if (value != 0) {
        add(value);
      }
    }
    hasZero |= other.hasZero;
  }

  int size() {
    return size + (hasZero ? 1 : 0);
  }
}
