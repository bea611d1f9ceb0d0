package dev.twophase.testkit.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** Cuts a stream into messages. */
final class MessageReader {

  private static final int FIRST_SIZE = 16 * 1024;

  private final InputStream in;
  private final ToIntFunction<ByteBuffer> lengthOf;
  private byte[] buffer = new byte[FIRST_SIZE];
  private int filled;

  MessageReader(InputStream in, ToIntFunction<ByteBuffer> lengthOf) {
    this.in = in;
    this.lengthOf = lengthOf;
  }

  /** The next whole message; empty at the end of the stream, also within a message. */
  Optional<byte[]> next() throws IOException {
    while (true) {
      if (filled > 0) {
        int length = lengthOf.applyAsInt(ByteBuffer.wrap(buffer, 0, filled).asReadOnlyBuffer());
        if (length > 0 && length <= filled) {
          byte[] message = Arrays.copyOf(buffer, length);
          System.arraycopy(buffer, length, buffer, 0, filled - length);
          filled -= length;
          return Optional.of(message);
        }
      }
      if (filled == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      }
      int got = in.read(buffer, filled, buffer.length - filled);
      if (got < 0) {
        return Optional.empty();
      }
      filled += got;
    }
  }
}
