package dev.twophase.testkit.internal.faults;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.gate.InjectedFaultException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Puts the gate in front of every method of an interface. */
public final class FaultyProxy implements InvocationHandler, Serializable {

  private static final long serialVersionUID = 1L;

  /** By the interface through which a client is used: several may inherit the same method. */
  private static final ClassValue<Map<Method, String>> CALL_CLASSES =
      new ClassValue<>() {
        @Override
        protected Map<Method, String> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  /** Of the proxies of an interface: looking it up costs more than what follows. */
  private static final ClassValue<AtomicReference<@Nullable Constructor<?>>> CONSTRUCTORS =
      new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable Constructor<?>> computeValue(Class<?> type) {
          return new AtomicReference<>();
        }
      };

  private final Class<?> type;
  private transient Map<Method, String> callClasses;

  @SuppressWarnings("serial") // serializable if the client is
  private final Object target;

  /** Of the attempt in which the proxy was made or deserialized; null if it was made outside. */
  private transient @Nullable CallGate gate;

  private FaultyProxy(Class<?> type, Object target) {
    this.type = type;
    this.target = target;
    this.gate = CallGate.current();
    this.callClasses = CALL_CLASSES.get(type);
  }

  /** See {@code Faults.around}. */
  public static <T> T around(Class<T> type, T target) {
    if (!type.isInterface()) {
      throw new IllegalArgumentException(
          type.getName()
              + " is no interface: name the interface through which the sink uses its client");
    }
    FaultyProxy handler = new FaultyProxy(type, target);
    Constructor<?> known = CONSTRUCTORS.get(type).get();
    if (known != null) {
      try {
        return type.cast(known.newInstance(handler));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("A proxy of " + type.getName() + " cannot be made", e);
      }
    }
    Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    keepConstructor(type, proxy.getClass());
    return type.cast(proxy);
  }

  private static void keepConstructor(Class<?> type, Class<?> proxyClass) {
    try {
      Constructor<?> made = proxyClass.getConstructor(InvocationHandler.class);
      if (made.trySetAccessible()) {
        CONSTRUCTORS.get(type).set(made);
      }
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    gate = CallGate.current();
    callClasses = CALL_CLASSES.get(type);
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
      open(method);
      return forward(method, args);
    }
    String callClass = callClasses.get(method);
    if (callClass == null) {
      // Interned, so that the same call is known by the same instance wherever it is looked up.
      open(method);
      callClass = (type.getSimpleName() + "." + method.getName()).intern();
      callClasses.put(method, callClass);
    }
    boolean withhold;
    try {
      withhold = mine.enter(callClass, args);
    } catch (InjectedFaultException injected) {
      throw asDeclaredBy(method, injected);
    }
    Object result = forward(method, args);
    if (withhold) {
      throw asDeclaredBy(method, mine.withheld(callClass));
    }
    return result;
  }

  private static void open(Method method) throws IllegalAccessException {
    if (!method.trySetAccessible()) {
      throw new IllegalAccessException(
          method + " cannot be called by the kit: its interface is not open to it");
    }
  }

  private @Nullable Object forward(Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
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
