package dev.twophase.benchmarks.filecommit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CreationProbeTest {

  @Test
  void measuresSomething(@TempDir Path directory) throws IOException {
    assertThat(CreationProbe.in(directory).micros()).isPositive();
  }

  @Test
  void warnsOfADiskThatIsSlowJustNow() {
    assertThat(new CreationProbe(25).line()).isEqualTo("Creating a file takes 25 microseconds");
    assertThat(new CreationProbe(900).line()).contains("900").contains("--directory");
  }
}
