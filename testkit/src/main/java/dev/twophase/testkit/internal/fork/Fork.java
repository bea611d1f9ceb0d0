package dev.twophase.testkit.internal.fork;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.report.ReportFolder;
import dev.twophase.testkit.schedule.Schedule;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that runs schedules in the cluster tier, seen from its parent. Not thread-safe. */
final class Fork implements AutoCloseable {

  /** What Flink needs of the JDK's internals. */
  private static final List<String> OPENED =
      List.of("lang", "util", "util.concurrent", "time", "net", "nio");

  private final Process process;
  private final DataOutputStream requests;
  private final DataInputStream replies;
  private final Path log;

  Fork(String sink, Path directory) throws IOException {
    this.log = directory.resolve("fork-" + System.nanoTime() + ".log");
    Path arguments = directory.resolve("java-arguments");
    Files.write(arguments, arguments(sink, directory));
    this.process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "@" + arguments)
            .redirectError(log.toFile())
            .start();
    this.requests = new DataOutputStream(process.getOutputStream());
    this.replies = new DataInputStream(process.getInputStream());
  }

  private static List<String> arguments(String sink, Path directory) {
    List<String> arguments = new ArrayList<>();
    for (String opened : OPENED) {
      arguments.add("--add-opens=java.base/java." + opened + "=ALL-UNNAMED");
    }
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(given -> given.startsWith("--add-"))
        .forEach(arguments::add);
    arguments.add("-Xmx768m");
    arguments.add("-XX:+UseSerialGC");
    // It lives for a minute or two: what compiles fast is fast here.
    arguments.add("-XX:TieredStopAtLevel=1");
    String reports = System.getProperty(ReportFolder.PROPERTY);
    if (reports != null) {
      arguments.add(
          '"' + ("-D" + ReportFolder.PROPERTY + "=" + reports).replace("\\", "\\\\") + '"');
    }
    arguments.add("-cp");
    arguments.add('"' + System.getProperty("java.class.path").replace("\\", "\\\\") + '"');
    arguments.add(ForkMain.class.getName());
    arguments.add(sink);
    arguments.add(directory.toString());
    return arguments;
  }

  /** What reads a reply. */
  @FunctionalInterface
  private interface Reader<R> {
    R read(DataInputStream replies) throws IOException;
  }

  /**
   * Runs a schedule there.
   *
   * @throws IOException if the process has died, with what it said last
   * @throws TimeoutException if it does not answer; it is of no use any more
   */
  Judgement replay(Schedule schedule, Duration patience) throws IOException, TimeoutException {
    return ask(Messages.REPLAY, schedule, patience, in -> Messages.read(in, schedule));
  }

  /**
   * Runs a schedule there, followed closely, and writes a report.
   *
   * @return the page; or why there is none
   */
  Messages.Written report(Schedule schedule, Duration patience)
      throws IOException, TimeoutException {
    return ask(Messages.REPORT, schedule, patience, Messages::readWritten);
  }

  private <R> R ask(String what, Schedule schedule, Duration patience, Reader<R> reader)
      throws IOException, TimeoutException {
    requests.writeUTF(what);
    requests.writeUTF(schedule.toString());
    requests.flush();
    CompletableFuture<R> reply =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return reader.read(replies);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      return reply.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(lastWords(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private String lastWords() throws IOException {
    try {
      process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<String> lines = Files.readAllLines(log);
    String exit = process.isAlive() ? "it still runs" : "exit code " + process.exitValue();
    return "the forked process does not answer: "
        + exit
        + "; it said last: "
        + String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      // What it still writes would be left behind.
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
