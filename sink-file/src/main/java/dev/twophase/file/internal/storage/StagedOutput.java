package dev.twophase.file.internal.storage;

import java.io.Closeable;
import java.io.IOException;

/** A staged file being written, by one thread at a time. */
public interface StagedOutput extends Closeable {

  /** Appends bytes; all of them, or it throws. */
  void write(byte[] bytes, int offset, int length) throws IOException;

  /**
   * Makes durable what was written before this call, or does nothing. Another thread may go on
   * writing meanwhile. After an error nothing is known of any of it.
   */
  default void syncSoFar() throws IOException {}

  /**
   * Sets up, beside further writing, what the first bytes of a file need, where that takes time;
   * some must have been written. What goes wrong shows in what is done next with the file.
   */
  default void start() throws IOException {}

  /**
   * Makes what was written durable; nothing more is written after it. After an error nothing is
   * known of any of it.
   */
  void sync() throws IOException;
}
