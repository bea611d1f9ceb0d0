package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.internal.operator.plan.Deployment;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether what an author returned can be sent to a task, as Flink does, and what stands in the way.
 */
final class Shipping {

  private static final int MOST_OBJECTS = 10_000;

  /** An object, and how it is reached from the sink. */
  private record Reached(Object value, String path) {}

  private Shipping() {}

  /**
   * Refuses what is not serializable, before anything is run.
   *
   * @throws InconclusiveException naming the class that is not, and the field that leads to it
   */
  static void check(Object made) {
    try {
      Deployment.serialize(made);
    } catch (IOException e) {
      throw refused(made, e);
    }
  }

  static InconclusiveException refused(Object made, IOException why) {
    return InconclusiveException.mistakeOfTest(
        made.getClass().getName()
            + ", which sink(...) returned, cannot be shipped to a task, as Flink does: "
            + why
            + culprit(made).map(path -> " (" + path + ")").orElse("")
            + ". Make what is not serializable transient, and set it where the writer or committer"
            + " is made, or in open(...); that goes for what Faults.around gets as well",
        why);
  }

  /** The fields that lead to what is not serializable; empty if none can be seen. */
  private static Optional<String> culprit(Object made) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Reached> next = new ArrayDeque<>();
    next.add(new Reached(made, made.getClass().getSimpleName()));
    while (!next.isEmpty() && seen.size() < MOST_OBJECTS) {
      Reached reached = next.remove();
      Object value =
          Proxy.isProxyClass(reached.value().getClass())
              ? Proxy.getInvocationHandler(reached.value())
              : reached.value();
      if (!seen.add(value)) {
        continue;
      }
      if (!(value instanceof Serializable)) {
        return Optional.of(reached.path() + " is a " + value.getClass().getName());
      }
      for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
        for (Field field : type.getDeclaredFields()) {
          Object held = held(field, value);
          if (held != null) {
            next.add(new Reached(held, reached.path() + "." + field.getName()));
          }
        }
      }
    }
    return Optional.empty();
  }

  /** What a field leads to; null if that is not serialized, or cannot be seen. */
  private static @Nullable Object held(Field field, Object holder) {
    int modifiers = field.getModifiers();
    if (Modifier.isStatic(modifiers)
        || Modifier.isTransient(modifiers)
        || field.getType().isPrimitive()
        || !field.trySetAccessible()) {
      return null;
    }
    try {
      return field.get(holder);
    } catch (IllegalAccessException e) {
      throw new AssertionError(Objects.requireNonNull(e.getMessage()), e);
    }
  }
}
