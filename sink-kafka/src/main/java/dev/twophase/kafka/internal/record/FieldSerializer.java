package dev.twophase.kafka.internal.record;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema.InitializationContext;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
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

  /** By one of Kafka's, made on the cluster and configured like a producer's. */
  final class ByKafka<IN> implements FieldSerializer<IN> {

    private static final long serialVersionUID = 1L;

    private final Class<? extends Serializer<? super IN>> type;
    private final HashMap<String, String> config;
    private final boolean key;
    private transient @Nullable Serializer<? super IN> serializer;

    public ByKafka(
        Class<? extends Serializer<? super IN>> type, Map<String, String> config, boolean key) {
      this.type = Objects.requireNonNull(type, "serializer class");
      this.config = new HashMap<>(config);
      this.key = key;
    }

    @Override
    public void open(InitializationContext context) throws Exception {
      Serializer<? super IN> made = type.getDeclaredConstructor().newInstance();
      made.configure(config, key);
      serializer = made;
    }

    @Override
    public boolean usesHeaders() {
      return true;
    }

    @Override
    public byte @Nullable [] serialize(String topic, @Nullable Headers headers, IN record) {
      return Objects.requireNonNull(serializer, "not opened")
          .serialize(topic, Objects.requireNonNull(headers, "headers"), record);
    }
  }
}
