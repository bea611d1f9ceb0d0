package dev.twophase.benchmarks.run;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A contender as it is entered into a comparison.
 *
 * @param label names it in progress lines, tables and file names
 * @param type its implementation
 * @param variant passed to {@link Contender#open}
 * @param jvmFlags for its JVM
 * @param firstOnClassPath what its JVM is to find before the classes of this one
 */
public record Entrant(
    String label,
    Class<? extends Contender> type,
    String variant,
    List<String> jvmFlags,
    List<Path> firstOnClassPath) {

  public Entrant {
    jvmFlags = List.copyOf(jvmFlags);
    firstOnClassPath = List.copyOf(firstOnClassPath);
  }

  /** With the classes of this JVM. */
  public Entrant(
      String label, Class<? extends Contender> type, String variant, List<String> jvmFlags) {
    this(label, type, variant, jvmFlags, List.of());
  }

  String classPath() {
    List<String> parts = new ArrayList<>();
    firstOnClassPath.forEach(path -> parts.add(path.toString()));
    parts.add(System.getProperty("java.class.path"));
    return String.join(File.pathSeparator, parts);
  }
}
