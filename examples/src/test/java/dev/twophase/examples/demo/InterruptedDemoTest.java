package dev.twophase.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left when somebody ends the demo before its time. */
class InterruptedDemoTest {

  @TempDir private Path temporary;

  private Process demo;
  private List<ProcessHandle> runs;

  @BeforeEach
  void startUntilAllRunsAreUnderWay() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    demo =
        new ProcessBuilder(
                java.toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName(),
                "--seconds-per-fault",
                "60")
            .redirectErrorStream(true)
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(demo.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    while (line != null && !line.contains("exactly-once ")) {
      line = out.readLine();
    }
    assertThat(line).isNotNull();
    runs = demo.descendants().toList();
    // Two with files, two with Kafka, and their broker; the database is not in Java.
    assertThat(runs).filteredOn(InterruptedDemoTest::isJava).hasSize(5);
    assertThat(runs).filteredOn(run -> !isJava(run)).isNotEmpty();
  }

  private static boolean isJava(ProcessHandle run) {
    return run.info().command().filter(command -> command.endsWith("/java")).isPresent();
  }

  @AfterEach
  void endWhatATestHasLeft() {
    demo.destroyForcibly();
    runs.forEach(ProcessHandle::destroyForcibly);
  }

  private void awaitEndOfRuns() throws Exception {
    for (ProcessHandle run : runs) {
      run.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void terminationEndsItsProcessesAndRemovesItsFiles() throws Exception {
    demo.destroy();
    assertThat(demo.waitFor(30, TimeUnit.SECONDS)).isTrue();
    awaitEndOfRuns();
    try (Stream<Path> left = Files.list(temporary)) {
      // The server's program, unpacked once for all runs.
      assertThat(left)
          .filteredOn(path -> !path.getFileName().toString().startsWith("twophase-servers-"))
          .isEmpty();
    }
  }

  @Test
  void killEndsItsProcesses() throws Exception {
    demo.destroyForcibly();
    awaitEndOfRuns();
  }
}
