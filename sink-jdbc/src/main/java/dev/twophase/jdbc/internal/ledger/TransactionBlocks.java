package dev.twophase.jdbc.internal.ledger;

import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import dev.twophase.jdbc.internal.rows.RowReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's blocks, staged ones first. Small ones are put together: they begin and end with a
 * row, and a bulk load does better with large ones.
 */
final class TransactionBlocks implements Blocks {

  private static final int TOGETHER = 1 << 18;

  /** Reads staged blocks. */
  @FunctionalInterface
  interface Staged {
    List<byte[]> read(int from, int end) throws Exception;
  }

  private final Staged staged;
  private final int stagedBlocks;
  private final int readAhead;
  private final Deque<byte[]> held;
  private final Deque<byte[]> fetched = new ArrayDeque<>();
  private int nextStaged;

  /**
   * @param readAhead number of staged blocks to read at once
   */
  TransactionBlocks(JdbcHandle handle, Staged staged, int readAhead) {
    this.staged = staged;
    this.stagedBlocks = handle.stagedBlocks();
    this.readAhead = readAhead;
    this.held = new ArrayDeque<>(handle.blocks());
  }

  @Override
  public @Nullable RowReader next() throws Exception {
    if (fetched.isEmpty() && nextStaged < stagedBlocks) {
      int end = (int) Math.min((long) nextStaged + readAhead, stagedBlocks);
      fetched.addAll(staged.read(nextStaged, end));
      nextStaged = end;
    }
    Deque<byte[]> source = fetched.isEmpty() ? held : fetched;
    return source.isEmpty() ? null : new RowReader(together(source));
  }

  private static byte[] together(Deque<byte[]> source) {
    Deque<byte[]> taken = new ArrayDeque<>();
    int length = 0;
    do {
      byte[] block = source.remove();
      taken.add(block);
      length += block.length;
    } while (!source.isEmpty() && length + source.element().length <= TOGETHER);
    if (taken.size() == 1) {
      return taken.remove();
    }
    byte[] whole = new byte[length];
    int position = 0;
    for (byte[] block : taken) {
      System.arraycopy(block, 0, whole, position, block.length);
      position += block.length;
    }
    return whole;
  }
}
