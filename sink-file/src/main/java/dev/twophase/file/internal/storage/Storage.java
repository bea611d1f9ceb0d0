package dev.twophase.file.internal.storage;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.apache.commons.io.IOUtils;

/**
 * The few things the sink asks of a file system, below one base directory. Paths are relative to
 * it, with {@code /} between components; the empty path is the base directory.
 *
 * <p>All methods may be called by several threads at once. A missing file is a {@link
 * java.nio.file.NoSuchFileException} and an existing one a {@link
 * java.nio.file.FileAlreadyExistsException} in every implementation; anything else that goes wrong
 * is another {@link IOException} and means that the outcome is unknown.
 */
public interface Storage extends AutoCloseable {

  /** The base directory as it is written into handles. */
  String base();

  /** The full name of a path, for messages. */
  String fullName(String path);

  /**
   * Checks that files can be moved from the staging area into this directory in one step, as far as
   * that can be told without making it.
   *
   * @throws IOException if a component is no directory, cannot be named on this system, may not be
   *     written to, lies on another file system, or is a link that leads out of the base directory
   */
  void checkDirectory(String directory) throws IOException;

  /**
   * The nearest directory above the base that holds something of this path.
   *
   * @return its full name; empty if there is none, or none that may be looked into
   */
  default Optional<String> above(String path) throws IOException {
    return Optional.empty();
  }

  /** Makes a directory and its parents; an existing one is fine. Does not sync. */
  void makeDirectories(String directory) throws IOException;

  /** Creates a file that must not exist. */
  StagedOutput create(String path) throws IOException;

  /** Whether {@link StagedOutput#start} does anything. */
  default boolean startsSlowly() {
    return false;
  }

  /** What is at a path; symbolic links are not followed. */
  FileStatus status(String path) throws IOException;

  /** Whether both names lead to one and the same file; false if one of them is missing. */
  boolean sameFile(String one, String other) throws IOException;

  /** A file's content, buffered. */
  InputStream open(String path) throws IOException;

  /** CRC32C of a file's content. */
  default int checksum(String path) throws IOException {
    CRC32C checksum = new CRC32C();
    try (InputStream in = open(path)) {
      IOUtils.consume(new CheckedInputStream(in, checksum));
    }
    return (int) checksum.getValue();
  }

  /**
   * Gives a staged file its visible name, in one step and only if that name is free. Of any number
   * of concurrent calls exactly one succeeds.
   *
   * @return whether the staged name remains, as a second name of the same file
   * @throws java.nio.file.FileAlreadyExistsException if the visible name is taken
   * @throws java.nio.file.NoSuchFileException if the staged file or the target's directory is
   *     missing
   */
  boolean publish(String staged, String target) throws IOException;

  /**
   * Whether {@link #publish} always leaves the staged names in that directory, so that they go one
   * by one when they are deleted, and by nothing else.
   */
  default boolean keepsStagedNames(String staging) throws IOException {
    return false;
  }

  /**
   * What is at the path of a prepared file, once nobody can write to it any more: who still has it
   * open loses it.
   *
   * @throws IOException if that cannot be told yet
   */
  FileStatus settled(String path) throws IOException;

  /**
   * Files with a common beginning of their names that nobody has open: what {@link #settled} says
   * of them, for the price of one question. What is left out must be asked for there.
   *
   * @param prefix their path up to where they differ
   * @return by path; empty where a question costs next to nothing
   */
  default Map<String, FileStatus> settledTogether(String prefix) throws IOException {
    return Map.of();
  }

  /**
   * Lets the next looks see all that anybody has done before this call, where they may otherwise
   * lag behind. To be called before something is taken as gone for good.
   *
   * @return whether a look from before is worth repeating
   * @throws IOException if it cannot be told what has been done
   */
  default boolean catchUp() throws IOException {
    return false;
  }

  /** Removes a file, or an empty directory, if it is there. */
  void delete(String path) throws IOException;

  /** Makes the names in a directory durable. */
  void syncDirectory(String directory) throws IOException;

  /** Names of what is in one directory; none if it is missing. */
  List<String> names(String directory) throws IOException;

  /** Tells whether a search looks into a directory. */
  @FunctionalInterface
  interface Entrance {
    boolean opens(String directory) throws IOException;
  }

  /**
   * Shows the paths of all files outside hidden directories, until one matches. Files that vanish
   * meanwhile do not count.
   *
   * @param entrance asked for each directory but the base and hidden ones
   * @return whether one has matched
   */
  boolean anyVisibleFile(Entrance entrance, Predicate<String> matches) throws IOException;

  /** Paths of all files outside hidden directories, in no order. */
  default List<String> visibleFiles() throws IOException {
    List<String> paths = new ArrayList<>();
    anyVisibleFile(
        directory -> true,
        path -> {
          paths.add(path);
          return false;
        });
    return paths;
  }

  /**
   * Tries out, in a directory that it makes, all that preparing and committing needs. Leaves
   * nothing, unless it is killed: then files called {@code name} and {@code name-moved} may remain.
   *
   * @throws IOException saying what does not work
   */
  void probe(String directory, String name) throws IOException;

  @Override
  void close() throws IOException;
}
