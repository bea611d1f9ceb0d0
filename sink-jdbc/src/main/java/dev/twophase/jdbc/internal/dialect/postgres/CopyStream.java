package dev.twophase.jdbc.internal.dialect.postgres;

import java.sql.SQLException;
import org.postgresql.copy.CopyIn;

/** One COPY, cancelled unless it is ended. */
final class CopyStream implements AutoCloseable {

  private static final int PACKET_BYTES = 1 << 16;

  private final CopyIn copy;
  private final PostgresText text;

  CopyStream(CopyIn copy, PostgresText text) {
    this.copy = copy;
    this.text = text;
  }

  void sendIfFull() throws SQLException {
    if (text.length() >= PACKET_BYTES) {
      send();
    }
  }

  /** After the last row. */
  void end() throws SQLException {
    send();
    copy.endCopy();
  }

  private void send() throws SQLException {
    copy.writeToCopy(text.bytes(), 0, text.length());
    text.clear();
  }

  @Override
  public void close() throws SQLException {
    if (copy.isActive()) {
      copy.cancelCopy();
    }
  }
}
