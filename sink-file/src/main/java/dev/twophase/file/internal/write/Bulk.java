package dev.twophase.file.internal.write;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.flink.api.common.serialization.BulkWriter;
import org.apache.flink.core.fs.FSDataOutputStream;

/** Files of a bulk format, by Flink's bulk writers: Parquet, Avro, sequence files and the like. */
public final class Bulk<IN> implements FileFormat<IN> {

  private static final long serialVersionUID = 1L;

  private final BulkWriter.Factory<IN> factory;

  public Bulk(BulkWriter.Factory<IN> factory) {
    this.factory = factory;
  }

  @Override
  public Content<IN> begin(OutputStream file) throws IOException {
    BulkWriter<IN> writer = factory.create(new Positioned(file));
    return new Content<>() {
      @Override
      public void add(IN record) throws IOException {
        writer.addElement(record);
      }

      @Override
      public void finish() throws IOException {
        writer.finish();
      }
    };
  }

  /** A part file as bulk writers want it. */
  private static final class Positioned extends FSDataOutputStream {

    private final OutputStream file;
    private long position;

    Positioned(OutputStream file) {
      this.file = file;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int value) throws IOException {
      file.write(value);
      position++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      file.write(bytes, offset, length);
      position += length;
    }

    /** What counts is preCommit. */
    @Override
    public void flush() {}

    @Override
    public void sync() {}

    /** Flink forbids bulk writers to close, yet some do; the sink alone ends a file. */
    @Override
    public void close() {}
  }
}
