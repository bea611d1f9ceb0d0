package dev.twophase.policy;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Keeps one small text file per lost transaction in a directory of any file system Flink knows. The
 * file is named after the transaction, so that recording the same loss again changes nothing; it is
 * synced before the job goes on, and on local disks so is the directory.
 */
public final class QuarantineDirectory implements Quarantine {

  private static final long serialVersionUID = 1L;

  private final URI directory;

  /**
   * @param directory created if it does not exist
   */
  public QuarantineDirectory(URI directory) {
    this.directory = Objects.requireNonNull(directory, "directory");
  }

  /**
   * Records a loss.
   *
   * @throws IOException if it could not be made durable
   */
  @Override
  public void record(LostTransaction lost) throws IOException {
    Path base = new Path(directory);
    FileSystem fileSystem = base.getFileSystem();
    Path target = new Path(base, lost.id() + ".lost");
    if (fileSystem.exists(target)) {
      return;
    }
    fileSystem.mkdirs(base);
    Path staging = new Path(base, "." + lost.id() + ".lost.staging");
    try (FSDataOutputStream out = fileSystem.create(staging, FileSystem.WriteMode.OVERWRITE)) {
      out.write(text(lost).getBytes(StandardCharsets.UTF_8));
      out.sync();
    }
    if (!fileSystem.rename(staging, target) && !fileSystem.exists(target)) {
      throw new IOException(
          "Could not rename "
              + staging
              + " to "
              + target
              + ": see that nothing but lost transactions' records is there, and that it can be"
              + " written");
    }
    if (!fileSystem.isDistributedFS()) {
      try (FileChannel channel =
          FileChannel.open(java.nio.file.Path.of(base.getPath()), StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private static String text(LostTransaction lost) {
    return "transaction: "
        + lost.id()
        + "\ncheckpoint: "
        + lost.checkpointId()
        + "\nrecords: "
        + lost.records()
        + "\nwritten from: "
        + lost.begunAt()
        + "\nwritten to: "
        + lost.preparedAt()
        + "\nevidence: "
        + lost.evidence().replace("\n", "\n  ")
        + "\n";
  }
}
