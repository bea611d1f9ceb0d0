package dev.twophase.testkit.jdbc;

import dev.twophase.testkit.jdbc.internal.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A database written in Java, in a JVM of its own. */
abstract class JavaServer extends DatabaseServer {

  JavaServer(String title) throws IOException {
    super(title);
  }

  /** Options of the JVM, the main class, and its arguments. */
  abstract List<String> main();

  @Override
  void initialize() {}

  @Override
  ServerProcess launch(Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
    command.addAll(main());
    return ServerProcess.start(command, "TERM", Map.of(), log);
  }
}
