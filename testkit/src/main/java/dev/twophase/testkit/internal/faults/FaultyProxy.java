package dev.twophase.testkit.internal.faults;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.gate.InjectedFaultException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Puts the gate in front of every method of an interface. */
public final class FaultyProxy implements InvocationHandler, Serializable {

  private static final long serialVersionUID = 1L;

  private static final Map<Method, String> CALL_CLASSES = new ConcurrentHashMap<>();

  private final Class<?> type;

  @SuppressWarnings("serial") // serializable if the client is
  private final Object target;

  /** Of the attempt in which the proxy was made or deserialized; null if it was made outside. */
  private transient @Nullable CallGate gate;

  private FaultyProxy(Class<?> type, Object target) {
    this.type = type;
    this.target = target;
    this.gate = CallGate.current();
  }

  /** See {@code Faults.around}. */
  public static <T> T around(Class<T> type, T target) {
    if (!type.isInterface()) {
      throw new IllegalArgumentException(
          type.getName()
              + " is no interface: name the interface through which the sink uses its client");
    }
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new FaultyProxy(type, target));
    return type.cast(proxy);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    gate = CallGate.current();
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return method.getName().equals("equals")
          ? (Object) (args != null && proxy == args[0])
          : forward(method, args);
    }
    CallGate mine = gate != null ? gate : CallGate.current();
    if (mine == null) {
      return forward(method, args);
    }
    String callClass =
        CALL_CLASSES.computeIfAbsent(method, key -> type.getSimpleName() + "." + key.getName());
    boolean withhold;
    try {
      withhold = mine.enter(callClass);
    } catch (InjectedFaultException injected) {
      throw asDeclaredBy(method, injected);
    }
    Object result = forward(method, args);
    if (withhold) {
      throw asDeclaredBy(method, mine.withheld(callClass));
    }
    return result;
  }

  private @Nullable Object forward(Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
    if (!method.trySetAccessible()) {
      throw new IllegalAccessException(
          method + " cannot be called by the kit: its interface is not open to it");
    }
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? e : cause;
    }
  }

  private static Exception asDeclaredBy(Method method, InjectedFaultException injected) {
    for (Class<?> declared : method.getExceptionTypes()) {
      if (declared.isInstance(injected)) {
        return injected;
      }
      Exception made = make(declared, injected);
      if (made != null) {
        return made;
      }
    }
    return new UncheckedIOException(injected);
  }

  private static @Nullable Exception make(Class<?> declared, InjectedFaultException injected) {
    if (!Exception.class.isAssignableFrom(declared)
        || InterruptedException.class.isAssignableFrom(declared)) {
      return null;
    }
    try {
      Exception made =
          (Exception) declared.getConstructor(String.class).newInstance(injected.getMessage());
      made.initCause(injected);
      return made;
    } catch (ReflectiveOperationException | IllegalStateException notThisOne) {
      return null;
    }
  }
}
