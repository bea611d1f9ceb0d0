package dev.twophase.file.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.TransactionId;
import dev.twophase.file.ScriptedStorage;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.upkeep.SavedTransactions;
import dev.twophase.file.upkeep.SinkDirectory;
import dev.twophase.file.upkeep.StagedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the collector finds in real checkpoints, taken while commits cannot get through. */
@Timeout(120)
class SavedStateTest {

  @TempDir Path root;
  @TempDir Path checkpoints;
  private final BlockingQueue<String> attempts = new LinkedBlockingQueue<>();

  @ParameterizedTest
  @ValueSource(strings = {"inline", "files", "merged"})
  void R2_nothingThatACheckpointHoldsIsAnOrphanWhereverItsStateLies(String where) throws Exception {
    JobClient job = job(where).executeAsync();
    try {
      // Checkpoints before this one may have had no records yet.
      TransactionId tried = staged(attempts.take()).orElseThrow();
      Path checkpoint = lastCheckpoint();
      Set<TransactionId> held =
          Sinks.hidden(root).stream()
              .flatMap(file -> staged(file.toString()).stream())
              .filter(id -> id.since() == tried.since())
              .collect(Collectors.toSet());
      assertThat(held).as("prepared and not committed").contains(tried);

      SavedTransactions saved = SavedTransactions.in(checkpoint, "orders");
      assertThat(saved.ids()).containsAll(held);
      try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
        assertThat(directory.findOrphans(saved))
            .extracting(StagedFile::transaction)
            .doesNotContainAnyElementsOf(held);
      }
      assertThatThrownBy(() -> SavedTransactions.in(checkpoint, "ders"))
          .hasMessageContaining("holds no state of sink 'ders'");
      requireRefusalWithoutItsFiles(checkpoint, where);
    } finally {
      job.cancel().get();
    }
  }

  private void requireRefusalWithoutItsFiles(Path checkpoint, String where) throws IOException {
    List<Path> files =
        Sinks.visible(checkpoints).stream().filter(file -> !file.endsWith("_metadata")).toList();
    if (where.equals("inline")) {
      assertThat(files).isEmpty();
      return;
    }
    for (Path file : files) {
      Files.delete(checkpoints.resolve(file));
    }
    assertThatThrownBy(() -> SavedTransactions.in(checkpoint, "orders"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nothing may be removed");
  }

  private StreamExecutionEnvironment job(String where) {
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    configuration.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    configuration.set(
        CheckpointingOptions.FS_SMALL_FILE_THRESHOLD,
        where.equals("inline") ? MemorySize.ofMebiBytes(1) : MemorySize.ZERO);
    configuration.set(CheckpointingOptions.FILE_MERGING_ENABLED, where.equals("merged"));
    TransactionalFileSink<String> sink =
        Sinks.on(
            ScriptedStorage.following(
                call -> {
                  if (call.startsWith("publish ")) {
                    attempts.add(call.split(" ")[1]);
                    throw new IOException("no commit gets through");
                  }
                }),
            NumbersJob.sink(root));
    return NumbersJob.of(configuration, sink, 1_000_000, 3, 100_000);
  }

  private static Optional<TransactionId> staged(String path) {
    return FileNames.transactionOfStaged(FileNames.nameOf(path), "orders");
  }

  /** None completes after it, since a committer is held up. */
  private Path lastCheckpoint() {
    return Sinks.visible(checkpoints).stream()
        .filter(file -> file.endsWith("_metadata"))
        .map(file -> checkpoints.resolve(file).getParent())
        .max(
            Comparator.comparingInt(path -> Integer.parseInt(path.toFile().getName().substring(4))))
        .orElseThrow();
  }
}
