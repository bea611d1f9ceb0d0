package dev.twophase.testkit.internal.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.schedule.Schedule;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that a failure prints, pasted into an interactive shell. */
class PastedReplayTest {

  private static final Schedule SCHEDULE =
      Schedule.parse(
          "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.ntf 1 !s0:Postgres.COMMIT#1=A"
              + " !s1:FileSystem.rename#2=E; s0.kill; up 1,p=1; settle");

  @TempDir Path directory;

  @BeforeEach
  void standInForMaven() throws IOException {
    Assumptions.assumeTrue(
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "bash"))),
        "no bash on the PATH: the command is for a shell such as it");
    Path maven = directory.resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$ARGUMENTS\"\n");
    assertThat(maven.toFile().setExecutable(true)).isTrue();
  }

  /** The arguments that Maven gets; none if it is not even called. */
  private List<String> paste(String command) throws IOException, InterruptedException {
    Path arguments = directory.resolve("arguments");
    Files.deleteIfExists(arguments);
    Path typed = Files.writeString(directory.resolve("typed"), command + "\nexit\n");
    ProcessBuilder shell = new ProcessBuilder("bash", "--norc", "--noprofile", "-i");
    shell.environment().merge("PATH", directory.toString(), (old, own) -> own + ":" + old);
    shell.environment().put("ARGUMENTS", arguments.toString());
    shell.environment().put("HISTFILE", directory.resolve("history").toString());
    Path log = directory.resolve("log");
    Process process =
        shell
            .redirectInput(typed.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(Files.readString(log)).isTrue();
    return Files.exists(arguments) ? Files.readAllLines(arguments) : List.of();
  }

  @Test
  void arrivesAtMavenAsItWasPrinted() throws Exception {
    assertThat(paste(ReplayLine.command("acme.OrdersTest", SCHEDULE, List.of())))
        .containsExactly(
            "test", "-Dtest=OrdersTest", "-Dtwophase.schedule=OrdersTest: " + SCHEDULE);
  }

  @Test
  void arrivesForANestedClassToo() throws Exception {
    assertThat(paste(ReplayLine.command("OrdersTest$Nested", SCHEDULE, List.of())))
        .containsExactly(
            "test",
            "-Dtest=OrdersTest$Nested",
            "-Dtwophase.schedule=OrdersTest$Nested: " + SCHEDULE);
  }

  @Test
  void doubleQuotesWouldNotDo() throws Exception {
    assertThat(paste(ReplayLine.command("OrdersTest", SCHEDULE, List.of()).replace('\'', '"')))
        .doesNotContain("-Dtwophase.schedule=OrdersTest: " + SCHEDULE);
  }
}
