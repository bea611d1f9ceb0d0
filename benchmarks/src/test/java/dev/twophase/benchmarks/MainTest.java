package dev.twophase.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    CommandLine commandLine = Main.commandLine(stream);
    commandLine.setOut(new PrintWriter(stream, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutArgumentsItListsTheComparisonsWithALineEach() {
    assertThat(run()).isZero();
    assertThat(printed().lines())
        .anyMatch(line -> line.startsWith("  core         "))
        .anyMatch(line -> line.startsWith("  file         "))
        .anyMatch(line -> line.startsWith("  file-commit  "))
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void helpListsThemToo() {
    assertThat(run("--help")).isZero();
    assertThat(printed()).contains("  file-commit  ").contains("--rounds");
  }

  @Test
  void unknownNameIsAnErrorThatNamesTheKnownOnes() {
    assertThat(run("pulsar")).isNotZero();
    assertThat(err.toString()).contains("'pulsar'").contains("core, file, file-commit");
  }

  @Test
  void fewerThanFiveRoundsAreRefused() {
    assertThat(run("core", "--rounds", "4")).isNotZero();
    assertThat(err.toString()).contains("--rounds must be at least 5: 4");
  }
}
