package dev.twophase.file.job;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Runs {@link KilledJob} in JVMs of its own, kills it, and restores it from its last checkpoint.
 */
final class JobProcess {

  private static final int MORE_FILES = 40;
  private static final long PAUSE_NANOS = 30_000;

  /** Of a job that must not have ended when it is killed, however slow the machine is. */
  private static final long LONG_PAUSE_NANOS = 2_000_000;

  private final URI directory;
  private final Path checkpoints;
  private final Path logs;
  private final Path temporary;
  private int number;

  /**
   * @param directory of the sink
   * @param own an empty directory, for all else
   */
  JobProcess(URI directory, Path own) throws IOException {
    this.directory = directory;
    this.checkpoints = Files.createDirectory(own.resolve("checkpoints"));
    this.logs = Files.createDirectory(own.resolve("logs"));
    this.temporary = Files.createDirectory(own.resolve("temporary"));
  }

  /**
   * Kills it once it has published more.
   *
   * @param published how many files there are
   */
  void killAmidst(Callable<Integer> published) throws Exception {
    Path log = logs.resolve(Integer.toString(number++));
    Process job = start(log, LONG_PAUSE_NANOS);
    int before = published.call();
    while (job.isAlive() && published.call() < before + MORE_FILES) {
      LockSupport.parkNanos(5_000_000);
    }
    if (!job.isAlive()) {
      throw new AssertionError("The job has ended by itself: " + Files.readString(log));
    }
    job.destroyForcibly().waitFor();
  }

  /** Lets it end. */
  void finish() throws Exception {
    Path log = logs.resolve("last");
    Process job = start(log, PAUSE_NANOS);
    if (!job.waitFor(180, TimeUnit.SECONDS) || job.exitValue() != 0) {
      job.destroyForcibly();
      throw new AssertionError("The job has not ended well: " + Files.readString(log));
    }
  }

  private Process start(Path log, long pauseNanos) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    // It lives for seconds, most of which go into loading classes.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    // Nobody else removes what it leaves behind.
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of("-Xmx512m", "-cp", classPath(), KilledJob.class.getName()));
    command.add(directory.toString());
    command.add(checkpoints.toString());
    command.add(Long.toString(pauseNanos));
    lastCheckpoint().ifPresent(path -> command.add(path.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Surefire may hide the class path in a jar's manifest. */
  private static String classPath() {
    String hidden = System.getProperty("surefire.test.class.path");
    return hidden == null ? System.getProperty("java.class.path") : hidden;
  }

  /** Only a checkpoint that is complete has metadata. */
  private Optional<Path> lastCheckpoint() throws IOException {
    try (Stream<Path> all = Files.walk(checkpoints, 3)) {
      return all.filter(path -> path.endsWith("_metadata"))
          .map(Path::getParent)
          .max(
              Comparator.comparingLong((Path path) -> path.getParent().toFile().lastModified())
                  .thenComparingLong(
                      path -> Long.parseLong(path.getFileName().toString().substring(4))));
    }
  }
}
