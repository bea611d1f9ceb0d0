package dev.twophase.file.internal.write;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for all open files of a subtask, together never more than one cap. Sizes are powers of
 * two, so that returned buffers serve again whatever file they came from. Not thread-safe.
 */
public final class BufferPool {

  /** Smallest buffer: a file with little data does not pay for a large one. */
  public static final int SMALLEST = 1 << 10;

  /** Largest buffer: beyond it, larger writes no longer save time. */
  public static final int LARGEST = 1 << 16;

  private static final int CLASSES =
      Integer.numberOfTrailingZeros(LARGEST) - Integer.numberOfTrailingZeros(SMALLEST) + 1;

  private final long cap;
  private final List<List<byte[]>> idle = new ArrayList<>();
  private long lent;
  private long kept;

  /**
   * @param cap most bytes in all buffers, at least one smallest buffer
   */
  public BufferPool(long cap) {
    if (cap < SMALLEST) {
      throw new IllegalArgumentException("cap is " + cap + ": use at least " + SMALLEST + " bytes");
    }
    this.cap = cap;
    for (int i = 0; i < CLASSES; i++) {
      idle.add(new ArrayList<>());
    }
  }

  /** A buffer of this size, or null if it would break the cap. */
  byte @Nullable [] take(int size) {
    if (lent + size > cap) {
      return null;
    }
    lent += size;
    List<byte[]> free = idle.get(sizeClass(size));
    if (!free.isEmpty()) {
      kept -= size;
      return free.remove(free.size() - 1);
    }
    dropIdleBeyondCap();
    return new byte[size];
  }

  void giveBack(byte[] buffer) {
    lent -= buffer.length;
    kept += buffer.length;
    idle.get(sizeClass(buffer.length)).add(buffer);
  }

  /** Most that one of this many files can have without others going short. */
  int fairShare(int files) {
    long share = Long.highestOneBit(Math.max(SMALLEST, cap / Math.max(1, files)));
    return (int) Math.min(LARGEST, share);
  }

  /** Bytes in buffers, in use or kept for the next use. */
  long footprint() {
    return lent + kept;
  }

  private void dropIdleBeyondCap() {
    for (int i = CLASSES - 1; i >= 0 && footprint() > cap; i--) {
      List<byte[]> free = idle.get(i);
      while (!free.isEmpty() && footprint() > cap) {
        kept -= free.remove(free.size() - 1).length;
      }
    }
  }

  private static int sizeClass(int size) {
    return Integer.numberOfTrailingZeros(size) - Integer.numberOfTrailingZeros(SMALLEST);
  }
}
