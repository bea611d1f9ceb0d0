package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.operator.GatedProxy.Results;
import dev.twophase.testkit.internal.operator.task.LineSinkFunctions;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.operators.AbstractUdfStreamOperator;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.jspecify.annotations.Nullable;

/**
 * Gives a black-box sink its fault points: puts a gate between Flink's operators and the sink they
 * were made for. It works on the operator factories of one attempt, after their deployment, so that
 * the sink sees itself, by identity, everywhere a job is built.
 *
 * <p>Call classes of Sink V2: {@code createWriter}, {@code restoreWriter}, {@code write}, {@code
 * flush}, {@code prepareCommit}, {@code snapshotState}, {@code closeWriter}, {@code
 * createCommitter}, {@code commit}, {@code closeCommitter}, {@code commitGlobally}; and {@code
 * serializeCommittable}, {@code deserializeCommittable}, and the same of {@code WriterState} and
 * {@code WriteResult}. Of a sink function: {@code open}, {@code initializeState}, {@code invoke},
 * {@code snapshotState}, {@code notifyCheckpointComplete}, {@code notifyCheckpointAborted}, {@code
 * finish}, {@code close}.
 */
public final class SinkDecorator {

  private static final Map<String, String> SINK =
      Map.of(
          "createWriter", "createWriter",
          "restoreWriter", "restoreWriter",
          "createCommitter", "createCommitter");
  private static final Map<String, String> WRITER =
      Map.of(
          "write", "write",
          "flush", "flush",
          "prepareCommit", "prepareCommit",
          "snapshotState", "snapshotState",
          "close", "closeWriter");
  private static final Map<String, String> COMMITTER =
      Map.of("commit", "commit", "close", "closeCommitter");
  private static final Map<String, String> GLOBAL_COMMITS = Map.of("commit", "commitGlobally");

  /** The class has moved between Flink lines, and so has the type of its committer's factory. */
  private static final String GLOBAL_COMMITTER = "GlobalCommitterOperator";

  private static final Map<String, String> SERIALIZED =
      Map.of(
          "getCommittableSerializer", "Committable",
          "getWriterStateSerializer", "WriterState",
          "getWriteResultSerializer", "WriteResult");
  private static final Map<String, String> FUNCTION =
      Map.of(
          "open", "open",
          "initializeState", "initializeState",
          "invoke", "invoke",
          "snapshotState", "snapshotState",
          "notifyCheckpointComplete", "notifyCheckpointComplete",
          "notifyCheckpointAborted", "notifyCheckpointAborted",
          "finish", "finish",
          "close", "close");

  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> declaring) {
          return replaceable(declaring);
        }
      };

  private final CallGate gate;
  private final LongSupplier step;
  private final ClassLoader classLoader;

  public SinkDecorator(CallGate gate, LongSupplier step, ClassLoader classLoader) {
    this.gate = gate;
    this.step = step;
    this.classLoader = classLoader;
  }

  /** Decorates the sink in a factory, if there is one. */
  public void decorate(StreamOperatorFactory<?> factory) {
    if (factory instanceof SimpleOperatorFactory<?> simple) {
      StreamOperator<?> operator = simple.getOperator();
      if (operator instanceof AbstractUdfStreamOperator<?, ?>) {
        replace(operator, AbstractUdfStreamOperator.class, this::function);
      } else if (operator.getClass().getSimpleName().equals(GLOBAL_COMMITTER)) {
        replace(operator, operator.getClass(), this::globalCommitterFactory);
      }
      return;
    }
    for (Class<?> type = factory.getClass(); type != null; type = type.getSuperclass()) {
      replace(factory, type, this::sink);
    }
  }

  private @Nullable Object function(@Nullable Object value) {
    return value != null && LineSinkFunctions.isSinkFunction(value)
        ? gated(value, FUNCTION, Results.AS_THEY_ARE)
        : value;
  }

  private @Nullable Object sink(@Nullable Object value) {
    return value instanceof Sink<?> || value instanceof SupportsCommitter<?>
        ? gated(value, SINK, this::partOfSink)
        : value;
  }

  private @Nullable Object globalCommitterFactory(@Nullable Object value) {
    return value instanceof Serializable
        ? gated(
            value,
            Map.of(),
            (method, made) ->
                made instanceof Committer<?>
                    ? gated(made, GLOBAL_COMMITS, Results.AS_THEY_ARE)
                    : made)
        : value;
  }

  private @Nullable Object partOfSink(String method, @Nullable Object part) {
    if (part instanceof SinkWriter<?>) {
      return gated(part, WRITER, Results.AS_THEY_ARE);
    }
    if (part instanceof Committer<?>) {
      return gated(part, COMMITTER, Results.AS_THEY_ARE);
    }
    if (part instanceof SimpleVersionedSerializer<?> serializer) {
      String what = SERIALIZED.get(method);
      return what == null ? part : new GatedSerializer<>(serializer, what, gate, step);
    }
    return part;
  }

  private Object gated(Object target, Map<String, String> classes, Results results) {
    return GatedProxy.around(target, gate, classes, results, classLoader);
  }

  /** Replaces the values of fields; only those whose declared type a proxy can have. */
  private static void replace(
      Object holder, Class<?> declaring, UnaryOperator<@Nullable Object> replacement) {
    for (Field field : FIELDS.get(declaring)) {
      try {
        Object value = field.get(holder);
        Object replaced = replacement.apply(value);
        if (replaced != value) {
          field.set(holder, Objects.requireNonNull(replaced));
        }
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("cannot put a gate into " + field, e);
      }
    }
  }

  private static List<Field> replaceable(Class<?> declaring) {
    List<Field> fields = new ArrayList<>();
    for (Field field : declaring.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && field.getType().isInterface()) {
        field.setAccessible(true);
        fields.add(field);
      }
    }
    return fields;
  }
}
