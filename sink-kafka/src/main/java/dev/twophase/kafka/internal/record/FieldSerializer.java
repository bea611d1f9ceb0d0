package dev.twophase.kafka.internal.record;

import java.io.Serializable;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema.InitializationContext;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Makes a record's key or value. */
public interface FieldSerializer<IN> extends Serializable {

  default void open(InitializationContext context) throws Exception {}

  /** Whether it wants to see or set headers. */
  boolean usesHeaders();

  /**
   * Makes it.
   *
   * @param headers null unless it uses them
   */
  byte @Nullable [] serialize(String topic, @Nullable Headers headers, IN record);

  /** Called once, at the end; also after a failed open. */
  default void close() {}

  /** By one of Flink's. */
  record ByFlink<IN>(SerializationSchema<IN> schema) implements FieldSerializer<IN> {

    @Override
    public void open(InitializationContext context) throws Exception {
      schema.open(context);
    }

    @Override
    public boolean usesHeaders() {
      return false;
    }

    @Override
    public byte @Nullable [] serialize(String topic, @Nullable Headers headers, IN record) {
      return schema.serialize(record);
    }
  }
}
