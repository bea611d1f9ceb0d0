package dev.twophase.file.internal.write;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.flink.api.common.serialization.Encoder;

/** One record after the other, by an encoder that keeps nothing back. */
public final class Rows<IN> implements FileFormat<IN> {

  private static final long serialVersionUID = 1L;

  private final Encoder<IN> encoder;

  public Rows(Encoder<IN> encoder) {
    this.encoder = encoder;
  }

  @Override
  public Content<IN> begin(OutputStream file) {
    return new Content<>() {
      @Override
      public void add(IN record) throws IOException {
        encoder.encode(record, file);
      }

      @Override
      public void finish() {}
    };
  }
}
