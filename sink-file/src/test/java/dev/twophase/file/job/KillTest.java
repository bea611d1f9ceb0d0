package dev.twophase.file.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.file.Sinks;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job in a JVM of its own, which is killed and restored from its last checkpoint. */
@Timeout(value = 240)
class KillTest {

  private static final int KILLS = 2;
  private static final int MORE_FILES = 40;
  private static final long PAUSE_NANOS = 30_000;

  /** Of a job that must not have ended when it is killed, however slow the machine is. */
  private static final long LONG_PAUSE_NANOS = 2_000_000;

  @TempDir Path directory;
  @TempDir Path checkpoints;
  @TempDir Path logs;

  @Test
  void R1_aKilledJobsRecordsAreThereOnceAfterItIsRestored() throws Exception {
    for (int kill = 0; kill < KILLS; kill++) {
      Process job = start("run-" + kill, LONG_PAUSE_NANOS);
      int before = Sinks.visible(directory).size();
      while (job.isAlive() && Sinks.visible(directory).size() < before + MORE_FILES) {
        LockSupport.parkNanos(5_000_000);
      }
      assertThat(job.isAlive()).as("the job runs; see %s", logs).isTrue();
      job.destroyForcibly().waitFor();
    }
    assertThat(numbers()).doesNotHaveDuplicates().hasSizeLessThan((int) KilledJob.RECORDS);

    Process last = start("last", PAUSE_NANOS);
    assertThat(last.waitFor(180, TimeUnit.SECONDS)).isTrue();
    assertThat(last.exitValue()).as(Files.readString(logs.resolve("last"))).isZero();
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, KilledJob.RECORDS).boxed().toList());
    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  private Process start(String log, long pauseNanos) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    // It lives for seconds, most of which go into loading classes.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Xmx512m", "-cp", classPath(), KilledJob.class.getName()));
    command.add(directory.toString());
    command.add(checkpoints.toString());
    command.add(Long.toString(pauseNanos));
    lastCheckpoint().ifPresent(path -> command.add(path.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(logs.resolve(log).toFile())
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

  private List<Long> numbers() throws IOException {
    return Sinks.lines(directory).stream().map(NumbersJob::number).sorted().toList();
  }
}
