package dev.twophase.file.internal.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS itself. {@code Rename.NONE} says in its error why nothing was moved, and never moves a file
 * into a directory of the target's name, as the older rename does, nor returns false.
 */
final class HdfsRenames implements Renames {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsRenames.class);

  private static final int LOOKS = 20;
  private static final long PAUSE_MILLIS = 500;

  private final DistributedFileSystem fileSystem;

  HdfsRenames(DistributedFileSystem fileSystem) {
    this.fileSystem = fileSystem;
  }

  @Override
  public boolean syncsOnClose() {
    return true;
  }

  /** For a block, a connection to each of its DataNodes, and threads there. */
  @Override
  public boolean startsSlowly() {
    return true;
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    try {
      fileSystem.rename(from, to, Options.Rename.NONE);
    } catch (FileAlreadyExistsException | FileNotFoundException told) {
      throw told;
    } catch (IOException error) {
      // For a directory of this name HDFS has another error, like many others.
      if (isThere(to, error)) {
        FileAlreadyExistsException taken = new FileAlreadyExistsException(to.toString());
        taken.initCause(error);
        throw taken;
      }
      throw error;
    }
  }

  private boolean isThere(Path path, IOException error) {
    try {
      return fileSystem.exists(path);
    } catch (IOException noAnswer) {
      error.addSuppressed(noAnswer);
      return false;
    }
  }

  /** One call tells the length and whether the file is closed; the length alone would not do. */
  @Override
  public Optional<Long> settledLength(Path file) throws IOException {
    try {
      LocatedBlocks blocks = blocks(file);
      if (blocks.isUnderConstruction()) {
        fence(file);
        blocks = blocks(file);
      }
      return Optional.of(blocks.getFileLength());
    } catch (FileNotFoundException noFile) {
      LOG.debug("No file {}", file, noFile);
      return Optional.empty();
    }
  }

  /**
   * A listing that also tells who has a file open. It begins at the prefix, where nothing of other
   * transactions comes before, and a page holds a thousand names.
   */
  @Override
  public Map<String, Long> settledLengths(Path directory, String prefix) throws IOException {
    Map<String, Long> lengths = new HashMap<>();
    byte[] after = prefix.getBytes(StandardCharsets.UTF_8);
    DirectoryListing page;
    do {
      page = fileSystem.getClient().listPaths(directory.toUri().getPath(), after, true);
      if (page == null) {
        return Map.of();
      }
      for (HdfsFileStatus entry : page.getPartialListing()) {
        if (!entry.getLocalName().startsWith(prefix)) {
          return lengths;
        }
        if (entry instanceof HdfsLocatedFileStatus file
            && file.getLocatedBlocks() != null
            && !file.getLocatedBlocks().isUnderConstruction()) {
          lengths.put(entry.getLocalName(), file.getLen());
        }
      }
      after = page.getLastName();
    } while (page.hasMore());
    return lengths;
  }

  private LocatedBlocks blocks(Path file) throws IOException {
    return fileSystem.getClient().getLocatedBlocks(file.toUri().getPath(), 0);
  }

  /**
   * Takes the lease away from whoever holds it. Block recovery takes seconds; where it is not done
   * in {@value #LOOKS} looks, the caller's retries go on with it, since it makes progress
   * meanwhile.
   */
  private void fence(Path file) throws IOException {
    LOG.warn("{} is still open for writing: taking its lease away", file);
    boolean closed = fileSystem.recoverLease(file);
    for (int look = 0; !closed && look < LOOKS; look++) {
      pause(file);
      closed = fileSystem.isFileClosed(file);
    }
    if (!closed) {
      throw new IOException(
          "The lease of "
              + file
              + " is still being recovered. If this goes on, look for DataNodes that hold its last"
              + " block and do not answer");
    }
  }

  @Override
  public void checkReachable(Path base, Path directory) throws IOException {
    String here = zone(base);
    String there = zone(directory);
    if (!Objects.equals(here, there)) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "in the encryption zone "
              + there
              + ", but the sink's directory is in "
              + (here == null ? "none" : here)
              + ", and HDFS moves no file from one to another");
    }
  }

  private @Nullable String zone(Path path) throws IOException {
    try {
      EncryptionZone zone = fileSystem.getEZForPath(path);
      return zone == null ? null : zone.getPath();
    } catch (AccessControlException notTold) {
      LOG.debug("Not told which encryption zone {} is in", path, notTold);
      return null;
    }
  }

  private static void pause(Path file) throws InterruptedIOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while recovering the lease of " + file);
    }
  }
}
