package dev.twophase.file.internal.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;

/**
 * Other Hadoop file systems whose rename is one step. Their public rename says no more than true or
 * false, and may move a file into a directory of the target's name: hence the look before it. As
 * only movers of one and the same staged file ever aim at a name, and a file can be renamed away
 * only once, the instant between look and rename is open to foreign programs alone.
 */
final class PlainRenames implements Renames {

  private final FileSystem fileSystem;
  private final boolean syncsOnClose;

  PlainRenames(FileSystem fileSystem) {
    this.fileSystem = fileSystem;
    // Its servers write for the client, and as the client says when it creates the file.
    this.syncsOnClose = fileSystem instanceof WebHdfsFileSystem;
  }

  @Override
  public boolean syncsOnClose() {
    return syncsOnClose;
  }

  @Override
  public boolean startsSlowly() {
    return false;
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    if (fileSystem.exists(to)) {
      throw new FileAlreadyExistsException(to.toString());
    }
    if (!fileSystem.exists(to.getParent()) || !fileSystem.exists(from)) {
      throw new FileNotFoundException(from + " or the directory of " + to);
    }
    if (!fileSystem.rename(from, to)) {
      throw new IOException(
          "The rename of "
              + from
              + " to "
              + to
              + " answered no more than false: see the log of the file system");
    }
  }

  @Override
  public Optional<Long> settledLength(Path file) {
    return Optional.empty();
  }

  @Override
  public Map<String, Long> settledLengths(Path directory, String prefix) {
    return Map.of();
  }

  @Override
  public void checkReachable(Path base, Path directory) {
    // Not told by these file systems: the rename itself tells.
  }
}
