package dev.twophase.known;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.MemoryDisk;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flink's own file sink on local files. */
class FileSinkTest {

  @TempDir(factory = MemoryDisk.class)
  Path root;

  @Test
  void isExplored() {
    Exploration explored =
        ShownSchedules.of(
            "FileSink, local files",
            new FileSinkUnderTest(root),
            Bound.oneFault().withBudget(Duration.ofMinutes(5)),
            finding -> false);
    assertThat(explored.refuted()).isZero();
  }
}
