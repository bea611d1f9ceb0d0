package dev.twophase.testkit.internal.tier;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Loads some classes anew for one attempt, and shares all others: what attempts hand to each other
 * in static fields of these classes does not arrive.
 */
public final class AttemptClassLoader extends ClassLoader {

  private final List<String> prefixes;

  private AttemptClassLoader(ClassLoader parent, List<String> prefixes) {
    super(parent);
    this.prefixes = prefixes;
  }

  /** A class loader for one attempt; the parent itself if there is nothing to load anew. */
  public static ClassLoader over(ClassLoader parent, List<String> prefixes) {
    return prefixes.isEmpty() ? parent : new AttemptClassLoader(parent, prefixes);
  }

  /** Class loaders over others, one for each run: its attempts share all classes. */
  public static UnaryOperator<ClassLoader> oncePerRun(List<String> prefixes) {
    Map<ClassLoader, ClassLoader> ofRun = new ConcurrentHashMap<>(2);
    return parent -> ofRun.computeIfAbsent(parent, each -> over(each, prefixes));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (prefixes.stream().noneMatch(prefix -> covers(prefix, name))) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  /** Whether a class is this one, nested in it, or in this package or one below. */
  public static boolean covers(String prefix, String name) {
    if (!name.startsWith(prefix)) {
      return false;
    }
    char next = name.length() == prefix.length() ? '.' : name.charAt(prefix.length());
    return prefix.endsWith(".") || next == '.' || next == '$';
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
