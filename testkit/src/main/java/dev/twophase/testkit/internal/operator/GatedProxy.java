package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.internal.gate.AttemptKilledError;
import dev.twophase.testkit.internal.gate.CallGate;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Puts a gate in front of an object, under all interfaces the object has: whoever asks it for a
 * capability by {@code instanceof} gets the same answer.
 */
final class GatedProxy implements InvocationHandler {

  /** What is to be done with what a method returned. */
  @FunctionalInterface
  interface Results {
    @Nullable Object wrap(String method, @Nullable Object result);

    Results AS_THEY_ARE = (method, result) -> result;
  }

  /** The last answer for a class, as it was for one class loader. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Visible(ClassLoader classLoader, Class<?>[] interfaces) {}

  /**
   * Most objects of a class are seen by one class loader: looking it up costs as much as a call.
   */
  private static final ClassValue<AtomicReference<@Nullable Visible>> VISIBLE =
      new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable Visible> computeValue(Class<?> type) {
          return new AtomicReference<>();
        }
      };

  private final Object target;
  private final CallGate gate;
  private final Map<String, String> callClasses;
  private final Results results;

  private GatedProxy(
      Object target, CallGate gate, Map<String, String> callClasses, Results results) {
    this.target = target;
    this.gate = gate;
    this.callClasses = callClasses;
    this.results = results;
  }

  /**
   * Wraps an object.
   *
   * @param callClasses by method name, the class under which the gate sees a call; other methods
   *     pass by the gate
   * @param results applied to what a method returns
   */
  static Object around(
      Object target,
      CallGate gate,
      Map<String, String> callClasses,
      Results results,
      ClassLoader classLoader) {
    return Proxy.newProxyInstance(
        classLoader,
        interfacesOf(target.getClass(), classLoader),
        new GatedProxy(target, gate, callClasses, results));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String callClass = callClasses.get(method.getName());
    if (callClass == null) {
      return results.wrap(method.getName(), proceed(method, arguments));
    }
    boolean closes = method.getName().equals("close");
    if (closes && gate.severed()) {
      // Flink closes what it can when a task ends, but nothing of a dead process is ever closed.
      return null;
    }
    boolean withhold;
    try {
      withhold = gate.enter(callClass, arguments);
    } catch (AttemptKilledError killed) {
      if (closes) {
        return null;
      }
      throw killed;
    }
    Object result = proceed(method, arguments);
    if (withhold) {
      throw gate.withheld(callClass);
    }
    return results.wrap(method.getName(), result);
  }

  private @Nullable Object proceed(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static Class<?>[] interfacesOf(Class<?> type, ClassLoader classLoader) {
    AtomicReference<@Nullable Visible> last = VISIBLE.get(type);
    Visible known = last.get();
    if (known == null || known.classLoader() != classLoader) {
      known = new Visible(classLoader, findInterfaces(type, classLoader));
      last.set(known);
    }
    return known.interfaces();
  }

  private static Class<?>[] findInterfaces(Class<?> type, ClassLoader classLoader) {
    Set<Class<?>> interfaces = new LinkedHashSet<>();
    for (Class<?> t = type; t != null; t = t.getSuperclass()) {
      for (Class<?> implemented : t.getInterfaces()) {
        collect(implemented, classLoader, interfaces);
      }
    }
    return interfaces.toArray(new Class<?>[0]);
  }

  /** A proxy cannot have an interface that its class loader does not see or that is not public. */
  private static void collect(Class<?> type, ClassLoader classLoader, Set<Class<?>> interfaces) {
    if (Modifier.isPublic(type.getModifiers()) && visible(type, classLoader) && !type.isSealed()) {
      interfaces.add(type);
    }
    for (Class<?> parent : type.getInterfaces()) {
      collect(parent, classLoader, interfaces);
    }
  }

  private static boolean visible(Class<?> type, ClassLoader classLoader) {
    try {
      return Class.forName(type.getName(), false, classLoader) == type;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
