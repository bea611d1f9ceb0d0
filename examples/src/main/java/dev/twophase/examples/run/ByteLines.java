package dev.twophase.examples.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.Encoder;

/** Writes records whose characters stand for bytes, see the source, as lines of those bytes. */
final class ByteLines implements Encoder<String> {

  private static final long serialVersionUID = 1L;

  @Override
  public void encode(String record, OutputStream stream) throws IOException {
    stream.write(record.getBytes(StandardCharsets.ISO_8859_1));
    stream.write('\n');
  }
}
