package dev.twophase.examples.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies in a directory, also by way of links. */
class LineIndexTest {

  @TempDir private Path directory;

  @Test
  void whatIsWrittenBelowADirectoryIsReadWithItAlsoByLinks() throws IOException {
    Path input = Files.createDirectories(directory.resolve("in"));
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    assertThat(LineIndex.reads(input, input.resolve("not/yet/there"))).isTrue();
    assertThat(LineIndex.reads(input, directory)).isFalse();
    assertThat(LineIndex.reads(input, elsewhere)).isFalse();

    Path intoTheInput = Files.createSymbolicLink(directory.resolve("link"), input);
    assertThat(LineIndex.reads(input, intoTheInput.resolve("out"))).isTrue();

    Files.createSymbolicLink(input.resolve("out-of-it"), elsewhere);
    assertThat(LineIndex.reads(input, elsewhere.resolve("out"))).isTrue();
  }
}
