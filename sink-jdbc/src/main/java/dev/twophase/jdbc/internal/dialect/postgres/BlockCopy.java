package dev.twophase.jdbc.internal.dialect.postgres;

import dev.twophase.jdbc.internal.rows.Bytes;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.core.BaseConnection;

/** Blocks on their way into the staging table: rows of key, number and content, in binary form. */
final class BlockCopy {

  private BlockCopy() {}

  static void add(
      BaseConnection connection,
      String table,
      List<String> key,
      int firstNumber,
      List<byte[]> blocks)
      throws SQLException {
    byte[] head = head(key);
    int numberAt = head.length - 8;
    try (CopyStream copy =
        new CopyStream(
            connection, "COPY " + table + " (sink, transaction_id, block, content) FROM STDIN")) {
      int number = firstNumber;
      byte[] packet = new byte[CopyStream.PACKET_BYTES];
      int length = 0;
      for (byte[] block : blocks) {
        Bytes.INT.set(head, numberAt, number++);
        Bytes.INT.set(head, numberAt + 4, block.length);
        if (length + head.length + block.length > packet.length) {
          copy.send(true, packet, length);
          length = 0;
        }
        if (head.length + block.length > packet.length) {
          copy.send(true, head, head.length);
          copy.send(true, block, block.length);
        } else {
          System.arraycopy(head, 0, packet, length, head.length);
          System.arraycopy(block, 0, packet, length + head.length, block.length);
          length += head.length + block.length;
        }
      }
      copy.send(true, packet, length);
      copy.end();
    }
  }

  /** What stands before the content: only number and length, the last two, change. */
  private static byte[] head(List<String> key) {
    int fields = key.size() + 2;
    int size = 2;
    for (String part : key) {
      size += 4 + part.getBytes(StandardCharsets.UTF_8).length;
    }
    byte[] head = new byte[size + 4 + 4 + 4];
    head[1] = (byte) fields;
    int position = 2;
    for (String part : key) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      Bytes.INT.set(head, position, bytes.length);
      System.arraycopy(bytes, 0, head, position + 4, bytes.length);
      position += 4 + bytes.length;
    }
    Bytes.INT.set(head, position, 4);
    return head;
  }
}
