package dev.twophase.testkit.internal.tier;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

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

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (prefixes.stream().noneMatch(prefix -> isOf(prefix, name))) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  /** A package with all below it, or a class with those nested in it. */
  private static boolean isOf(String prefix, String name) {
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
