package dev.twophase.testkit.internal.operator.plan;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Turns what a sink consists of into bytes and back, once per attempt. It is Java serialization, as
 * Flink deploys operators, but for the descriptions of classes: they are the same each time, make
 * up most of the bytes, and only their number in a table is written.
 */
public final class Deployment {

  private static final List<Class<?>> CLASSES = new CopyOnWriteArrayList<>();
  private static final Map<Class<?>, Integer> NUMBERS = new ConcurrentHashMap<>();

  private Deployment() {}

  /** The serialized form; only this process can read it. */
  public static byte[] serialize(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (Out out = new Out(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** A fresh copy of what was serialized, its classes loaded by this class loader. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the caller serialized it
  public static <T> T deserialize(byte[] bytes, ClassLoader classLoader)
      throws IOException, ClassNotFoundException {
    try (In in = new In(new ByteArrayInputStream(bytes), classLoader)) {
      return (T) in.readObject();
    }
  }

  /** The classes that an object consists of. */
  public static Set<Class<?>> classesOf(Object value) throws IOException {
    Set<Class<?>> seen = new LinkedHashSet<>();
    try (ObjectOutputStream out =
        new Out(OutputStream.nullOutputStream()) {
          @Override
          protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
            seen.add(description.forClass());
            super.writeClassDescriptor(description);
          }
        }) {
      out.writeObject(value);
    }
    return seen;
  }

  private static int numberOf(Class<?> type) {
    Integer known = NUMBERS.get(type);
    if (known != null) {
      return known;
    }
    synchronized (NUMBERS) {
      Integer number = NUMBERS.get(type);
      if (number == null) {
        number = CLASSES.size();
        CLASSES.add(type);
        NUMBERS.put(type, number);
      }
      return number;
    }
  }

  private static class Out extends ObjectOutputStream {

    Out(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
      writeInt(numberOf(description.forClass()));
    }
  }

  private static final class In extends ObjectInputStream {

    private final ClassLoader classLoader;

    In(InputStream in, ClassLoader classLoader) throws IOException {
      super(in);
      this.classLoader = classLoader;
    }

    @Override
    protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
      return ObjectStreamClass.lookupAny(inLoader(CLASSES.get(readInt())));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) {
      return description.forClass();
    }

    @Override
    @SuppressWarnings("deprecation") // ObjectInputStream asks for the class, not for an instance
    protected Class<?> resolveProxyClass(String[] names) throws ClassNotFoundException {
      Class<?>[] interfaces = new Class<?>[names.length];
      for (int i = 0; i < names.length; i++) {
        interfaces[i] = Class.forName(names[i], false, classLoader);
      }
      return Proxy.getProxyClass(classLoader, interfaces);
    }

    private Class<?> inLoader(Class<?> type) throws ClassNotFoundException {
      ClassLoader own = type.getClassLoader();
      return own == null || own == classLoader
          ? type
          : Class.forName(type.getName(), false, classLoader);
    }
  }
}
