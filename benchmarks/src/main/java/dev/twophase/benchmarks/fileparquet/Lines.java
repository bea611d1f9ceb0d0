package dev.twophase.benchmarks.fileparquet;

import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/** Strings as Parquet rows of one column; row groups of 8 MiB. */
final class Lines extends ParquetWriter.Builder<String, Lines> {

  private static final long ROW_GROUP_BYTES = 8L << 20;

  Lines(OutputFile file) {
    super(file);
    withRowGroupSize(ROW_GROUP_BYTES);
  }

  @Override
  protected Lines self() {
    return this;
  }

  @Override
  @SuppressWarnings("deprecation") // Abstract still, so there is no way around it.
  protected WriteSupport<String> getWriteSupport(Configuration configuration) {
    return new Support();
  }

  private static final class Support extends WriteSupport<String> {

    private static final MessageType SCHEMA =
        MessageTypeParser.parseMessageType("message line { required binary text (UTF8); }");

    private @Nullable RecordConsumer consumer;

    @Override
    @SuppressWarnings("deprecation") // Abstract still, so there is no way around it.
    public WriteContext init(Configuration configuration) {
      return new WriteContext(SCHEMA, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
      consumer = recordConsumer;
    }

    @Override
    public void write(String record) {
      RecordConsumer to = Objects.requireNonNull(consumer, "prepareForWrite comes first");
      to.startMessage();
      to.startField("text", 0);
      to.addBinary(Binary.fromString(record));
      to.endField("text", 0);
      to.endMessage();
    }
  }
}
