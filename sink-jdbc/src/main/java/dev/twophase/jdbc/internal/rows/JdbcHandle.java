package dev.twophase.jdbc.internal.rows;

import dev.twophase.HandleSerializers;
import dev.twophase.error.UnreadableStateException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A prepared transaction: its rows, or as many of them as are not staged in the database, and what
 * the ledger needs to judge it.
 *
 * @param target where the rows go
 * @param rows number of rows, staged ones included
 * @param stagedBlocks number of blocks in the staging table
 * @param base newest sequence number of the subtask's ledger when the attempt began
 * @param firstSince checkpoint since which the attempt may hold records
 * @param ledger which ledger that is, see {@code Ledger.identity}; 0 if it is not known
 * @param previous checkpoint since which the attempt's transaction before this one holds records,
 *     which is committed before this one (C3); {@link #FIRST} or {@link #UNKNOWN}
 * @param line of checkpoints that the attempt is in, from 1; below 0 the one the ledger had, of an
 *     attempt whose state told none; 0 in versions that do not tell
 * @param blocks rows in binary form, after the staged ones
 */
public record JdbcHandle(
    Target target,
    long rows,
    int stagedBlocks,
    long base,
    long firstSince,
    long ledger,
    long previous,
    long line,
    List<byte[]> blocks) {

  /** {@link #previous} of an attempt's first transaction. */
  public static final long FIRST = -1;

  /** {@link #previous} in handles of versions that do not tell. */
  public static final long UNKNOWN = -2;

  /** The second one names the ledger, the third one the transaction before, the fourth the line. */
  static final int VERSION = 4;

  private static final SimpleVersionedSerializer<JdbcHandle> SERIALIZER =
      new ModeSerializer<>(
          HandleSerializers.versioned(
              VERSION, JdbcHandle::write, JdbcHandle::read, JdbcHandle::size),
          0,
          "LEDGER",
          "XA");

  public JdbcHandle {
    blocks = List.copyOf(blocks);
  }

  /** The same without rows, for one whose rows are in the database. */
  public JdbcHandle withoutRows() {
    return new JdbcHandle(target, rows, 0, base, firstSince, ledger, previous, line, List.of());
  }

  public static SimpleVersionedSerializer<JdbcHandle> serializer() {
    return SERIALIZER;
  }

  private static int size(JdbcHandle handle) {
    Target target = handle.target;
    // Operation, keys and the other numbers; then texts and blocks, each after its length.
    long bytes = 1 + 4 + 8 + 4 + 8 + 8 + 8 + 8 + 8 + 4 + 4;
    bytes += size(target.schema()) + size(target.table()) + size(target.sql());
    for (String column : target.columns()) {
      bytes += size(column);
    }
    for (byte[] block : handle.blocks) {
      bytes += 4 + block.length;
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE / 2);
  }

  private static int size(String text) {
    return 4 + text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void write(JdbcHandle handle, DataOutputView out) throws IOException {
    Target target = handle.target;
    out.writeByte(target.operation().code());
    writeText(out, target.schema());
    writeText(out, target.table());
    writeText(out, target.sql());
    out.writeInt(target.columns().size());
    for (String column : target.columns()) {
      writeText(out, column);
    }
    out.writeInt(target.keys());
    out.writeLong(handle.rows);
    out.writeInt(handle.stagedBlocks);
    out.writeLong(handle.base);
    out.writeLong(handle.firstSince);
    out.writeLong(handle.ledger);
    out.writeLong(handle.previous);
    out.writeLong(handle.line);
    out.writeInt(handle.blocks.size());
    for (byte[] block : handle.blocks) {
      out.writeInt(block.length);
      out.write(block);
    }
  }

  private static JdbcHandle read(int version, DataInputView in) throws IOException {
    int code = in.readByte();
    String schema = readText(in);
    String table = readText(in);
    String sql = readText(in);
    int count = in.readInt();
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(readText(in));
    }
    int keys = in.readInt();
    long rows = in.readLong();
    int stagedBlocks = in.readInt();
    long base = in.readLong();
    long firstSince = in.readLong();
    long ledger = version < 2 ? 0 : in.readLong();
    long previous = version < 3 ? UNKNOWN : in.readLong();
    long line = version < 4 ? 0 : in.readLong();
    int blockCount = in.readInt();
    List<byte[]> blocks = new ArrayList<>();
    for (int i = 0; i < blockCount; i++) {
      blocks.add(readBytes(in));
    }
    try {
      Target target = new Target(Target.Operation.of(code), schema, table, columns, keys, sql);
      return new JdbcHandle(
          target, rows, stagedBlocks, base, firstSince, ledger, previous, line, blocks);
    } catch (IllegalArgumentException unknown) {
      throw new UnreadableStateException("A handle is damaged: " + unknown.getMessage(), unknown);
    }
  }

  private static void writeText(DataOutputView out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInputView in) throws IOException {
    return new String(readBytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] readBytes(DataInputView in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > RowLimit.MOST_BYTES) {
      throw new UnreadableStateException("A handle is damaged: " + length + " bytes in one piece");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
