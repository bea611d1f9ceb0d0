package dev.twophase.gallery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.MemoryDisk;
import dev.twophase.testkit.SinkKit;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sinks that people use today, as they are. */
@Tag("nightly")
class SinksInUseTest {

  @TempDir(factory = MemoryDisk.class)
  Path directory;

  @Test
  void flinksFileSinkOnLocalFilesIsNotRefutedByOneFault() {
    Bound bound = Bound.oneFault().withBudget(Duration.ofMinutes(10));
    Exploration exploration = SinkKit.of(new FlinkFileSink(directory)).explore(bound);

    System.out.println("Flink's FileSink: " + exploration.describe());
    assertThat(exploration.findings()).extracting(Judgement::describe).isEmpty();
    assertThat(exploration.tooInconclusive()).as(exploration.describe()).isFalse();
  }
}
