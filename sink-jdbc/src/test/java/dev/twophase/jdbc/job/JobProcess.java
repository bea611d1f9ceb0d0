package dev.twophase.jdbc.job;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A job in a JVM of its own, with the classes of this one. */
final class JobProcess {

  private JobProcess() {}

  /** What starts it. */
  static ProcessBuilder of(Class<?> main, List<String> flags, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(flags);
    command.addAll(List.of("-Xmx512m", "-cp", classPath(), main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  /** Surefire may hide the class path in a jar's manifest. */
  private static String classPath() {
    String hidden = System.getProperty("surefire.test.class.path");
    return hidden == null ? System.getProperty("java.class.path") : hidden;
  }
}
