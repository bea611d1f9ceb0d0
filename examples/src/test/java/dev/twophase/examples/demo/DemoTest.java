package dev.twophase.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.kafka.ListenerSecurity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo from its command line, with real jobs in processes of their own. */
class DemoTest {

  private static final int EXACT = 0;
  private static final int REFUTED = 1;
  private static final int PROVES_NOTHING = 2;
  private static final int BAD_ARGUMENTS = 64;

  @TempDir private Path directory;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private Path input;
  private Path output;

  @BeforeEach
  void someText() throws IOException {
    input = Files.createDirectories(directory.resolve("in"));
    output = directory.resolve("out");
    for (String name : List.of("a/one.txt", "a/two words.txt", "b/drei-äöü.txt", "top.txt")) {
      Path file = input.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, Stream.iterate(1, n -> n + 1).limit(150).map(n -> "line " + n).toList());
    }
  }

  /** Writes files. */
  private int demo(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--only", "files"));
    arguments.addAll(List.of(more));
    return anyDemo(arguments.toArray(new String[0]));
  }

  private int anyDemo(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--input", input.toString()));
    arguments.addAll(List.of("--output", output.toString()));
    arguments.addAll(List.of(more));
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return Demo.run(out, arguments.toArray(new String[0]));
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v2", "function"})
  void nothingIsLostOrDuplicatedAndTheControlDuplicates(String api) throws IOException {
    int exitCode = demo("--sink-api", api, "--faults", "2", "--seconds-per-fault", "1.5");
    assertThat(text())
        .endsWith("exactly-once: lost 0, duplicated 0" + System.lineSeparator())
        .contains("commit applied, crash before the reply")
        .contains("prepared, crash in the snapshot")
        .contains("rescaled through a savepoint")
        .contains("at-least-once control");
    assertThat(exitCode).isEqualTo(EXACT);
    assertThat(Files.readString(errors("exactly-once"))).isEmpty();
  }

  @Test
  void countsGoFromTopicToTopicExactlyOnce() {
    countsAreExact("v2");
  }

  @Tag("nightly")
  @Test
  void countsGoFromTopicToTopicExactlyOnceThroughTheFunctionToo() {
    countsAreExact("function");
  }

  private void countsAreExact(String api) {
    int exitCode =
        anyDemo("--only", "kafka", "--sink-api", api, "--faults", "2", "--seconds-per-fault", "2");
    assertThat(text())
        .endsWith("exactly-once: lost 0, duplicated 0" + System.lineSeparator())
        .contains("Kafka: commit applied, crash before the reply")
        .contains("Kafka: prepared, crash in the snapshot")
        .contains("rescaled through a savepoint")
        .contains("counts in 3 partitions")
        .contains("PostgreSQL exactly-once")
        .contains("counts in 1 table")
        .contains("Kafka at-least-once control");
    // Also says that the control duplicated something: otherwise nothing would be proven.
    assertThat(exitCode).isEqualTo(EXACT);
  }

  @Test
  void brokenSinkToAClusterThatAsksForAPasswordIsRefuted() throws IOException {
    try (KafkaCluster cluster =
        KafkaCluster.builder().security(ListenerSecurity.SASL_PLAINTEXT).start()) {
      Map<String, String> client = cluster.clientProperties(ListenerSecurity.SASL_PLAINTEXT);
      Properties properties = new Properties();
      properties.putAll(client);
      Path file = directory.resolve("client.properties");
      try (Writer writer = Files.newBufferedWriter(file)) {
        properties.store(writer, null);
      }
      int exitCode =
          anyDemo(
              "--only",
              "kafka",
              "--bootstrap-servers",
              client.get("bootstrap.servers"),
              "--client-properties",
              file.toString(),
              "--sabotage",
              "early-commit",
              "--faults",
              "2",
              "--seconds-per-fault",
              "2");
      assertThat(text()).contains("DUPLICATE: ");
      assertThat(exitCode).isEqualTo(REFUTED);
    }
  }

  @ParameterizedTest
  @CsvSource({"early-commit,DUPLICATE", "drop-commit,LOSS"})
  void brokenSinkIsRefuted(String sabotage, String verdict) {
    int exitCode = demo("--sabotage", sabotage, "--faults", "2", "--seconds-per-fault", "1.5");
    assertThat(text()).contains(verdict + ": ");
    assertThat(exitCode).isEqualTo(REFUTED);
  }

  @Test
  void faultThatDidNotStrikeProvesNothing() {
    // At this pace nothing has been read, and so nothing can have struck, when patience ends.
    int exitCode = demo("--faults", "1", "--seconds-per-fault", "600", "--patience", "1");
    assertThat(text())
        .contains("did not strike within 1.0 s (--patience): commit applied")
        .doesNotContain("lost 0");
    assertThat(exitCode).isEqualTo(PROVES_NOTHING);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--faults          | 0            | --faults is 0: use 1 to 24",
        "--faults          | many         | '--faults': 'many' is not an int",
        "--faults          | 24           | it has 600 lines; name one with 1,040 to",
        "--parallelism     | 99           | --parallelism is 99: use 1 to 8",
        "--sink-api        | v3           | '--sink-api': 'v3' is unknown: use v2 or function",
        "--sabotage        | none         | 'none' is unknown: use early-commit or drop-commit",
        "--seconds-per-fault | NaN        | --seconds-per-fault is NaN: use 1 to 600",
        "--patience        | 0            | --patience is 0: use 1 to 600",
        "--only            | database     | 'database' is unknown: use files or kafka",
        "--bootstrap-servers | h:1        | --bootstrap-servers is h:1: leave --only files away",
        "--client-properties | f          | --client-properties is f: name the cluster with",
        "--color           | red          | Unknown options: '--color', 'red'",
      })
  void badArgumentIsNamedWithItsValueAndTheRemedy(String option, String value, String message) {
    assertThat(demo(option, value)).isEqualTo(BAD_ARGUMENTS);
    assertThat(text()).contains(message).contains("--help");
    assertThat(output).doesNotExist();
  }

  @Test
  void inputThatIsNoDirectoryIsRefused() throws IOException {
    input = Files.createFile(directory.resolve("file"));
    assertThat(demo()).isEqualTo(BAD_ARGUMENTS);
    assertThat(text()).contains("--input is " + input + ": name a directory");
  }

  @Test
  void emptyInputIsRefusedAndNotTakenForTheWorkingDirectory() {
    input = Path.of("");
    assertThat(demo()).isEqualTo(BAD_ARGUMENTS);
    assertThat(text()).contains("--input is : name a directory");
  }

  @Test
  void lineThatNoKafkaRecordHoldsIsRefusedNamingIt() throws IOException {
    Files.writeString(input.resolve("b/long.txt"), "short\n" + "x".repeat(1_000_000) + "\nshort");
    assertThat(anyDemo()).isEqualTo(BAD_ARGUMENTS);
    assertThat(text())
        .contains("line 2 of b/long.txt has 1,000,000 bytes")
        .contains("use --only files");
  }

  @Test
  void outputThatHoldsSomethingIsRefused() throws IOException {
    Files.createDirectories(output.resolve("precious"));
    assertThat(demo()).isEqualTo(BAD_ARGUMENTS);
    assertThat(text()).contains("--output is " + output + ": it is not empty");
  }

  @Test
  void outputWithinTheInputIsRefused() {
    output = input.resolve("out");
    assertThat(demo()).isEqualTo(BAD_ARGUMENTS);
    assertThat(text()).contains("it lies in the input");
  }

  @Test
  void outputThatALinkPutsWithinTheInputIsRefused() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), input);
    output = link.resolve("out");
    assertThat(demo()).isEqualTo(BAD_ARGUMENTS);
    assertThat(text()).contains("it lies in the input");
  }

  @Test
  void brokersThatAreNoAddressesAreRefused() {
    assertThat(anyDemo("--bootstrap-servers", "nonsense")).isEqualTo(BAD_ARGUMENTS);
    assertThat(text()).contains("--bootstrap-servers is nonsense: name brokers as HOST:PORT");
  }

  private Path errors(String run) {
    return output.resolve(run).resolve("errors.log");
  }
}
