package dev.twophase.file.internal.hadoop;

import dev.twophase.file.internal.storage.StagedOutput;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/** A file of a Hadoop file system. */
final class HadoopOutput implements StagedOutput {

  private final FSDataOutputStream out;
  private final Path path;
  private boolean closed;

  HadoopOutput(FSDataOutputStream out, Path path) {
    this.out = out;
    this.path = path;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    HadoopErrors.translated(
        path,
        () -> {
          out.write(bytes, offset, length);
          return length;
        });
  }

  /**
   * Closes the file as well. It was created with SYNC_BLOCK, so that every DataNode syncs each
   * block when it ends, the last one on close; and only a closed file has a length that the
   * NameNode vouches for.
   */
  @Override
  public void sync() throws IOException {
    if (out.hasCapability(StreamCapabilities.HSYNC)) {
      HadoopErrors.translated(
          path,
          () -> {
            out.flush();
            return path;
          });
    }
    close();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    HadoopErrors.translated(
        path,
        () -> {
          out.close();
          return path;
        });
    closed = true;
  }
}
