package dev.twophase.testkit.internal.cluster;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.flink.runtime.checkpoint.CheckpointMetaData;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.state.TaskStateManager;
import org.jspecify.annotations.Nullable;

/** Sees, in passing, what a task tells the job manager about checkpoints. */
final class Watched {

  private Watched() {}

  static Environment environment(Environment target, TaskAttempt attempt) {
    TaskStateManager manager = target.getTaskStateManager();
    TaskStateManager watched =
        watch(
            TaskStateManager.class,
            manager,
            (method, arguments, result) -> {
              if (method.equals("reportTaskStateSnapshots")) {
                long checkpoint = ((CheckpointMetaData) arguments[0]).getCheckpointId();
                attempt.acknowledgement(checkpoint).complete(null);
              }
              return result;
            });
    return watch(
        Environment.class,
        target,
        (method, arguments, result) -> {
          if (method.equals("declineCheckpoint")) {
            attempt
                .acknowledgement((Long) arguments[0])
                .completeExceptionally((Throwable) arguments[1]);
          }
          return method.equals("getTaskStateManager") ? watched : result;
        });
  }

  private static <T> T watch(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            Watched.class.getClassLoader(), new Class<?>[] {type}, new Handler(target, after)));
  }

  @FunctionalInterface
  private interface After {
    @Nullable Object returned(String method, Object[] arguments, @Nullable Object result);
  }

  private record Handler(Object target, After after) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      Object[] given = arguments == null ? new Object[0] : arguments;
      try {
        return after.returned(method.getName(), given, method.invoke(target, given));
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }
  }
}
