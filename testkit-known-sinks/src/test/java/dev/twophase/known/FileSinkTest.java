package dev.twophase.known;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.MemoryDisk;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.schedule.Verb;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flink's own file sink on local files. */
class FileSinkTest {

  @TempDir(factory = MemoryDisk.class)
  Path root;

  /** Every call of its file system may fail, lose its reply or be the last one. */
  @Test
  void isCorruptedByAZombieThatWritesIntoItsSuccessorsFileAndByNothingElse() {
    Exploration explored =
        ShownSchedules.of(
            "FileSink, local files",
            new FileSinkUnderTest(root),
            Bound.oneFault().withBudget(Duration.ofMinutes(5)),
            finding -> false);
    assertThat(explored.findings())
        .isNotEmpty()
        .allMatch(finding -> finding.verdict() == Verdict.CORRUPT)
        .allMatch(
            finding ->
                finding.schedule().steps().stream().anyMatch(step -> step.verb() == Verb.LOSE));
    assertThat(explored.tooInconclusive()).as(explored.describe()).isFalse();
    assertThat(explored.cutShort()).as(explored.describe()).isFalse();
  }
}
