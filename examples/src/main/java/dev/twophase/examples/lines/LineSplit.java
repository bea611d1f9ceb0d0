package dev.twophase.examples.lines;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The whole directory from a position on: the source has this one split.
 *
 * @param position of the next line
 */
public record LineSplit(long position) implements SourceSplit {

  @Override
  public String splitId() {
    return "lines";
  }

  /** Eight bytes. */
  static final class Serializer implements SimpleVersionedSerializer<LineSplit> {

    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(LineSplit split) {
      return ByteBuffer.allocate(Long.BYTES).putLong(split.position()).array();
    }

    @Override
    public LineSplit deserialize(int version, byte[] bytes) throws IOException {
      if (version != 1 || bytes.length != Long.BYTES) {
        throw new IOException(
            "Not a split of version 1: version " + version + ", " + bytes.length + " bytes");
      }
      return new LineSplit(ByteBuffer.wrap(bytes).getLong());
    }
  }
}
