package dev.twophase.testkit.internal.cluster;

import dev.twophase.testkit.schedule.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * The clusters of this process, started when first needed, used again for every run, and ended with
 * it: one whose jobs fail over as a whole, and one whose jobs fail over by region. Not thread-safe.
 */
public final class Clusters {

  private static final int SLOTS = 64;
  private static final int MOST_ENDING = 4;

  private final Path checkpoints;
  private final Queue<CompletableFuture<?>> ending = new ArrayDeque<>();
  private @Nullable MiniCluster whole;
  private @Nullable MiniCluster byRegion;

  /**
   * @param checkpoints an empty directory for them
   */
  public Clusters(Path checkpoints) {
    this.checkpoints = checkpoints;
  }

  MiniCluster of(Source source) throws Exception {
    if (source == Source.FORWARD) {
      MiniCluster known = byRegion;
      if (known == null) {
        known = start("region");
        byRegion = known;
      }
      return known;
    }
    MiniCluster known = whole;
    if (known == null) {
      known = start("full");
      whole = known;
    }
    return known;
  }

  /** Where savepoints go. */
  String savepoints() {
    return checkpoints.resolve("savepoints").toUri().toString();
  }

  /** A job is on its way to its end; waits for an older one if there are many. */
  void ends(CompletableFuture<?> job) {
    ending.add(job);
    if (ending.size() > MOST_ENDING) {
      ending.remove().join();
    }
  }

  private MiniCluster start(String failover) throws Exception {
    Configuration settings = new Configuration();
    settings.set(JobManagerOptions.EXECUTION_FAILOVER_STRATEGY, failover);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ZERO);
    settings.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    settings.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.parse("1mb"));
    settings.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 1000);
    settings.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.parse("8mb"));
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.parse("16mb"));
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.parse("16mb"));
    // A task that waits for its schedule must not be taken for one that hangs.
    settings.set(TaskManagerOptions.TASK_CANCELLATION_TIMEOUT, Duration.ZERO);
    settings.set(RestOptions.BIND_PORT, "0");
    // This process is killed in the end: what it leaves behind is removed with the checkpoints.
    settings.set(
        CoreOptions.TMP_DIRS, Files.createDirectories(checkpoints.resolve("temporary")).toString());
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(settings)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(SLOTS)
                .build());
    cluster.start();
    return cluster;
  }

  /** A directory for checkpoints, in memory where that exists. */
  public static Path temporaryDirectory() throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory)
        ? Files.createTempDirectory(memory, "twophase-checkpoints-")
        : Files.createTempDirectory("twophase-checkpoints-");
  }

  /** Removes such a directory with all that is in it. */
  public static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
