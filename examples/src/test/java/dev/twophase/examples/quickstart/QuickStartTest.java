package dev.twophase.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuickStartTest {

  @TempDir private Path directory;

  @Test
  void theJobOfTheReadmeWritesEachRecordOnce() throws Exception {
    QuickStart.run(directory);
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file.getFileName().toString()).doesNotStartWith(".");
        lines.addAll(Files.readAllLines(file));
      }
    }
    assertThat(lines).hasSize(1_000_000);
    assertThat(new HashSet<>(lines)).hasSize(1_000_000).contains("order 1", "order 1000000");
  }
}
