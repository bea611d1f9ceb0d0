package dev.twophase.jdbc.internal.dialect.postgres;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** Rows on their way into a table; a COPY is begun when there are some, and again after an end. */
final class CopyStream implements AutoCloseable {

  static final int PACKET_BYTES = 1 << 16;

  /** Signature, no flags, no extension. */
  private static final byte[] BINARY_HEADER =
      Arrays.copyOf("PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1), 19);

  private static final byte[] BINARY_TRAILER = {-1, -1};

  /** What the buffers on the way take, so that sending it waits for nobody. */
  private static final long SENT_AT_ONCE = 1 << 15;

  private final CopyManager manager;
  private final SendLimit limit;
  private final String sql;
  private long sent;
  private @Nullable CopyIn running;
  private boolean binary;

  /**
   * @param sql the statement, without a format
   */
  CopyStream(BaseConnection connection, String sql) throws SQLException {
    this.manager = connection.getCopyAPI();
    this.limit = new SendLimit(connection);
    this.sql = sql;
  }

  /** Sends whole rows in one of the two formats. */
  void send(boolean inBinary, byte[] bytes, int length) throws SQLException {
    if (running != null && binary != inBinary) {
      end();
    }
    CopyIn copy = running;
    if (copy == null) {
      copy = manager.copyIn(inBinary ? sql + " (FORMAT binary)" : sql);
      running = copy;
      binary = inBinary;
      if (inBinary) {
        copy.writeToCopy(BINARY_HEADER, 0, BINARY_HEADER.length);
      }
    }
    for (int from = 0; from < length; from += PACKET_BYTES) {
      write(copy, bytes, from, Math.min(PACKET_BYTES, length - from));
    }
  }

  private void write(CopyIn copy, byte[] bytes, int from, int length) throws SQLException {
    sent += length;
    if (sent <= SENT_AT_ONCE) {
      copy.writeToCopy(bytes, from, length);
    } else {
      limit.over(() -> copy.writeToCopy(bytes, from, length));
    }
  }

  /** After the last row, and before the connection is used for anything else. */
  void end() throws SQLException {
    CopyIn copy = running;
    if (copy == null) {
      return;
    }
    if (binary) {
      copy.writeToCopy(BINARY_TRAILER, 0, BINARY_TRAILER.length);
    }
    copy.endCopy();
    running = null;
  }

  /** Cancels what was not ended. */
  @Override
  public void close() throws SQLException {
    limit.close();
    CopyIn copy = running;
    if (copy != null && copy.isActive()) {
      copy.cancelCopy();
    }
  }
}
