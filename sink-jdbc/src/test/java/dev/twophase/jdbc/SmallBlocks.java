package dev.twophase.jdbc;

/** Sinks that stage their rows in smaller pieces than anybody would want to. */
public final class SmallBlocks {

  private SmallBlocks() {}

  /** Stages all rows, in blocks of about so many bytes. */
  public static <T> TransactionalJdbcSink<T> of(int bytes, TransactionalJdbcSink<T> sink) {
    return sink.bufferLimit(0).blockBytes(bytes);
  }
}
