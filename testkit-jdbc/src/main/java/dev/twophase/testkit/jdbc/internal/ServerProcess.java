package dev.twophase.testkit.jdbc.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.IOUtils;

/**
 * A server that ends with the process that started it, however that ends: a shell between the two
 * waits for the end of its input.
 */
public final class ServerProcess {

  private static final String WATCH =
      "exec 3<&0; signal=$1; shift; \"$@\" 3<&- </dev/null & server=$!;"
          + " (read -r _ <&3; kill -$signal $server) & watcher=$!;"
          + " wait $server; code=$?; kill $watcher 2>/dev/null; exit $code";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final Process shell;
  private final Path log;

  private ServerProcess(Process shell, Path log) {
    this.shell = shell;
    this.log = log;
  }

  /**
   * Starts a server.
   *
   * @param stopSignal what asks it to end without waiting for its clients
   * @param log where its output is added
   */
  public static ServerProcess start(
      List<String> command, String stopSignal, Map<String, String> environment, Path log)
      throws IOException {
    List<String> watched = new ArrayList<>(List.of("/bin/sh", "-c", WATCH, "sh", stopSignal));
    watched.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(watched);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new ServerProcess(builder.start(), log);
  }

  /**
   * Runs a command to its end.
   *
   * @throws IllegalStateException with its output if it fails
   */
  public static void run(List<String> command, Map<String, String> environment, Path input)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectInput(input.toFile());
    Process process = builder.start();
    String output = IOUtils.toString(process.getInputStream(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    if (code != 0) {
      throw new IllegalStateException(
          String.join(" ", command) + " ended with " + code + ":\n" + output);
    }
  }

  public boolean isAlive() {
    return shell.isAlive();
  }

  /** Asks the server to end, and returns when it has. */
  public void stop() throws InterruptedException {
    try {
      shell.getOutputStream().close();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    if (!shell.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      kill();
      throw new IllegalStateException(
          "The server did not stop within " + PATIENCE + ":\n" + logTail());
    }
  }

  /** Ends the server and all of its children by SIGKILL, and returns when they are gone. */
  public void kill() throws InterruptedException {
    List<ProcessHandle> family = shell.descendants().toList();
    // Parents come first: a server that outlives a child of its own would start to recover.
    for (ProcessHandle process : family) {
      if (process.info().command().filter(name -> name.endsWith("/sh")).isEmpty()) {
        process.destroyForcibly();
      }
    }
    if (!shell.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("The server survives SIGKILL:\n" + logTail());
    }
    for (ProcessHandle process : family) {
      process.destroyForcibly();
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!family.stream().allMatch(ServerProcess::isGone)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("Children of the server survive SIGKILL:\n" + logTail());
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }

  /**
   * Whether it has ended. A zombie has: it keeps no file, port or memory, only its number, until
   * the system's first process looks, which on some machines takes seconds.
   */
  private static boolean isGone(ProcessHandle process) {
    if (!process.isAlive()) {
      return true;
    }
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException ended) {
      return !process.isAlive();
    }
  }

  /** The end of what the server said. */
  public String logTail() {
    try {
      String all = Files.readString(log, StandardCharsets.ISO_8859_1);
      return all.substring(Math.max(0, all.length() - 4_000));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
