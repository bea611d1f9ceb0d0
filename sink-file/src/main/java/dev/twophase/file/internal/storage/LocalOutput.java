package dev.twophase.file.internal.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of a local disk. */
final class LocalOutput implements StagedOutput {

  private final FileChannel channel;

  LocalOutput(Path path) throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  @Override
  public void syncSoFar() throws IOException {
    channel.force(false);
  }

  @Override
  public void sync() throws IOException {
    // Without the time stamps, which nobody relies on; the length is always synced.
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
