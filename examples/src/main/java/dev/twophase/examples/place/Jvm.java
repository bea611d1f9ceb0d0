package dev.twophase.examples.place;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Starts Java processes with this one's JDK and classes; none outlives this one. */
public final class Jvm {

  private static final Set<Process> STARTED = ConcurrentHashMap.newKeySet();

  private static volatile boolean ending;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Jvm::end));
  }

  private Jvm() {}

  /** Starts one; its error output goes to a file. */
  public static Process start(
      Class<?> main, List<String> options, List<String> arguments, Path errors) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    STARTED.add(process);
    return process;
  }

  /** Does nothing by itself: the class, once loaded, ends what it started when the JVM ends. */
  static void endAllAtExit() {}

  /** Ends everything, because this JVM ends. */
  static void end() {
    ending = true;
    endAll();
  }

  /** Whether this JVM is going down, so that its processes end because of it. */
  public static boolean isEnding() {
    return ending;
  }

  /** Kills what still runs and waits until it is gone. */
  static void endAll() {
    STARTED.forEach(Process::destroyForcibly);
    STARTED.forEach(process -> process.onExit().join());
  }

  /** Options as for {@code java -D}. */
  public static List<String> properties(Map<String, String> properties) {
    return properties.entrySet().stream()
        .map(property -> "-D" + property.getKey() + "=" + property.getValue())
        .toList();
  }
}
