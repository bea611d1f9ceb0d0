package dev.twophase.internal.flink;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;

/**
 * The job's settings, as seen when its graph was built; the cluster does not show them to a sink.
 *
 * @param batch whether it runs in BATCH mode
 * @param checkpointIntervalMillis 0 if it takes no checkpoints
 */
public record JobSetup(boolean batch, long checkpointIntervalMillis) implements Serializable {

  /** Whether it takes checkpoints. */
  public boolean checkpointing() {
    return checkpointIntervalMillis > 0;
  }

  Optional<Duration> checkpointInterval() {
    return checkpointing()
        ? Optional.of(Duration.ofMillis(checkpointIntervalMillis))
        : Optional.empty();
  }
}
