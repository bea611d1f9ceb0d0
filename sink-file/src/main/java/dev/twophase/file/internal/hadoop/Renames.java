package dev.twophase.file.internal.hadoop;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * What differs among Hadoop file systems: how a file is made durable and moved without ever
 * overwriting.
 */
interface Renames {

  /** Whether a file created with SYNC_BLOCK is on disk once it is closed. */
  boolean syncsOnClose();

  /** Whether the first bytes of a file wait for several servers. */
  boolean startsSlowly();

  /**
   * Moves a file in one step, if the target's name is free.
   *
   * @throws IOException if it is not certain that it was moved
   */
  void rename(Path from, Path to) throws IOException;

  /**
   * The length of a file, once nobody has it open for writing any more.
   *
   * @return empty if that is as it always is, or there is no file: look at its status
   * @throws IOException if it cannot be told yet
   */
  Optional<Long> settledLength(Path file) throws IOException;

  /**
   * The lengths of files that nobody has open for writing, asked for together.
   *
   * @param prefix what the names begin with
   * @return by name; what is left out must be asked for by itself
   */
  Map<String, Long> settledLengths(Path directory, String prefix) throws IOException;

  /**
   * Checks that files can be moved there.
   *
   * @throws IOException if no file can be moved from below {@code base} to {@code directory}
   */
  void checkReachable(Path base, Path directory) throws IOException;
}
