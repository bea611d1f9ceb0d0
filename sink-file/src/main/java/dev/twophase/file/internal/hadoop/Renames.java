package dev.twophase.file.internal.hadoop;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/**
 * What differs among Hadoop file systems: how a file is made durable and moved without ever
 * overwriting.
 */
interface Renames {

  /** Whether a file created with SYNC_BLOCK is on disk once it is closed. */
  boolean syncsOnClose();

  /**
   * Moves a file in one step, if the target's name is free.
   *
   * @throws IOException if it is not certain that it was moved
   */
  void rename(Path from, Path to) throws IOException;

  /**
   * Makes sure that nobody has the file open for writing any more.
   *
   * @return whether somebody had, so that its length may have changed
   * @throws IOException if that cannot be told yet
   */
  boolean fence(Path file) throws IOException;

  /**
   * Checks that files can be moved there.
   *
   * @throws IOException if no file can be moved from below {@code base} to {@code directory}
   */
  void checkReachable(Path base, Path directory) throws IOException;
}
