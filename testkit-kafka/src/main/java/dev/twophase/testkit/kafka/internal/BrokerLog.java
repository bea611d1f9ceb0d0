package dev.twophase.testkit.kafka.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a broker prints, in a file that outlives its process. */
public record BrokerLog(Path file) {

  private static final int TAIL_BYTES = 64 * 1024;

  public List<String> last(int most) {
    List<String> lines = tail().lines().toList();
    return lines.subList(Math.max(0, lines.size() - most), lines.size());
  }

  boolean tailContains(String text) {
    return tail().contains(text);
  }

  private String tail() {
    if (!Files.exists(file)) {
      return "";
    }
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      channel.position(Math.max(0, channel.size() - TAIL_BYTES));
      ByteBuffer bytes = ByteBuffer.allocate(TAIL_BYTES);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
      return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
