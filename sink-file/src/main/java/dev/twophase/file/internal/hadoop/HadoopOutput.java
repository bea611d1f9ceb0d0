package dev.twophase.file.internal.hadoop;

import dev.twophase.file.internal.storage.StagedOutput;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.jspecify.annotations.Nullable;

/** A file of a Hadoop file system. */
final class HadoopOutput implements StagedOutput {

  private final FSDataOutputStream out;
  private final Path path;
  private final boolean syncsOnClose;
  private boolean closed;
  private @Nullable IOException told;

  HadoopOutput(FSDataOutputStream out, Path path, boolean syncsOnClose) {
    this.out = out;
    this.path = path;
    this.syncsOnClose = syncsOnClose;
  }

  /** Whether {@link #sync} syncs: {@code hsync} of a stream that cannot is no more than a flush. */
  boolean syncs() {
    return syncsOnClose || out.hasCapability(StreamCapabilities.HSYNC);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    attempt(() -> out.write(bytes, offset, length));
  }

  /** An error stays with the stream, whose close has it again. */
  @Override
  public void start() throws IOException {
    attempt(out::hflush);
  }

  /**
   * Closes the file as well: only a closed file has a length that the NameNode vouches for. On HDFS
   * that is all, because it was created with SYNC_BLOCK: every DataNode syncs each block when it
   * ends, the last one on close.
   */
  @Override
  public void sync() throws IOException {
    if (!syncsOnClose) {
      attempt(out::hsync);
    }
    close();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    attempt(out::close);
    closed = true;
  }

  /** One call of the stream. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  /**
   * HDFS throws the error that a stream has met again at its close, the very same object, which
   * whoever closes after an error could not add to itself.
   */
  private void attempt(Call call) throws IOException {
    try {
      HadoopErrors.translated(
          path,
          () -> {
            call.run();
            return path;
          });
    } catch (IOException error) {
      if (error == told) {
        throw new IOException(error.getMessage(), error);
      }
      told = error;
      throw error;
    }
  }
}
