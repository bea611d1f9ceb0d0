package dev.twophase.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.TransactionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuarantineDirectoryTest {

  @TempDir private Path directory;

  private final LostTransaction lost =
      new LostTransaction(
          new TransactionId("orders", 0, 3, new UUID(1, 2)),
          4,
          17,
          Instant.ofEpochSecond(100),
          Instant.ofEpochSecond(200),
          "staging file missing\nand target missing");

  @Test
  void C9_lossIsKeptInAFileNamedAfterTheTransaction() throws IOException {
    Path base = directory.resolve("new/quarantine");
    QuarantineDirectory quarantine = new QuarantineDirectory(base.toUri());
    quarantine.record(lost);
    quarantine.record(lost);
    assertThat(base).isDirectoryContaining(file -> file.endsWith(lost.id() + ".lost"));
    try (var files = Files.list(base)) {
      assertThat(files).hasSize(1);
    }
    assertThat(base.resolve(lost.id() + ".lost"))
        .content()
        .contains("checkpoint: 4", "records: 17", "1970-01-01T00:01:40Z", "staging file missing");
  }

  @Test
  void C9_recordThatCannotBeWrittenIsAnError() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    QuarantineDirectory quarantine = new QuarantineDirectory(file.resolve("below").toUri());
    assertThatThrownBy(() -> quarantine.record(lost)).isInstanceOf(IOException.class);
  }
}
