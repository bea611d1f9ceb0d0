package dev.twophase.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrphanTest {

  @ParameterizedTest
  @ValueSource(strings = {"running", "frozen"})
  void aBrokerEndsWithTheJvmThatStartedIt(String state) throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ParentMain.class.getName(),
                state)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String pid;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
      pid = out.readLine();
    }
    assertThat(parent.waitFor()).isEqualTo(137);
    assertThat(pid).isNotNull();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> ProcessHandle.of(Long.parseLong(pid)).isEmpty());
  }
}
