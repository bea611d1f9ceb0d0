package dev.twophase.kafka.internal.record;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializationSchema.InitializationContext;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** One of Kafka's, made on the cluster, and configured and closed like a producer's. */
public final class KafkasSerializer<IN> implements FieldSerializer<IN> {

  private static final long serialVersionUID = 1L;

  private final Class<? extends Serializer<? super IN>> type;
  private final HashMap<String, String> config;
  private final boolean key;
  private transient @Nullable Serializer<? super IN> serializer;

  /**
   * @throws IllegalArgumentException if the class can never be made one
   */
  public KafkasSerializer(
      Class<? extends Serializer<? super IN>> type, Map<String, String> config, boolean key) {
    this.type = Objects.requireNonNull(type, "serializer class");
    this.config = new HashMap<>(config);
    this.key = key;
    // Generics do not keep every other class away.
    if (!Serializer.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(about("is no " + Serializer.class.getName()));
    }
    if (Modifier.isAbstract(type.getModifiers()) || !hasConstructor()) {
      throw new IllegalArgumentException(
          about(
              "cannot be made: give a class that is not abstract, with a constructor without"
                  + " arguments"));
    }
  }

  private boolean hasConstructor() {
    try {
      return Stream.of(type.getDeclaredConstructors())
          .anyMatch(each -> each.getParameterCount() == 0);
    } catch (LinkageError onTheClusterAlone) {
      return true;
    }
  }

  private String about(String what) {
    return (key ? "setKeySerializer: " : "setValueSerializer: ") + type.getName() + " " + what;
  }

  @Override
  public void open(InitializationContext context) {
    Serializer<? super IN> made;
    try {
      made = type.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException error) {
      Throwable why = error instanceof InvocationTargetException ? error.getCause() : error;
      throw new IllegalStateException(
          about(
              "cannot be made: "
                  + why
                  + ". Its class and its constructor without arguments must be"
                  + " public, and must not fail"),
          error);
    }
    serializer = made;
    try {
      made.configure(config, key);
    } catch (RuntimeException error) {
      throw new IllegalStateException(
          about(
              "refuses its configuration: "
                  + reason(error)
                  + ". Change what was given beside the"
                  + " class"),
          error);
    }
  }

  private static String reason(RuntimeException error) {
    return error.getMessage() == null ? error.toString() : error.getMessage();
  }

  @Override
  public boolean usesHeaders() {
    return true;
  }

  @Override
  public byte @Nullable [] serialize(String topic, @Nullable Headers headers, IN record) {
    try {
      return Objects.requireNonNull(serializer, "not opened")
          .serialize(topic, Objects.requireNonNull(headers, "headers"), record);
    } catch (ClassCastException otherType) {
      throw new IllegalArgumentException(
          about("is for records of another type: " + otherType.getMessage()), otherType);
    }
  }

  @Override
  public void close() {
    Serializer<? super IN> made = serializer;
    serializer = null;
    if (made != null) {
      made.close();
    }
  }
}
