package dev.twophase.internal.flink;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.policy.SinkOptions;
import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;

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

  /**
   * How long an outage a prepared transaction survives: what is left of its lifetime after a
   * checkpoint interval and a restart.
   *
   * @param lifetime how long the resource keeps a prepared transaction, if not for ever
   */
  public Optional<Duration> toleratedOutage(Optional<Duration> lifetime, SinkOptions options) {
    return lifetime.map(time -> time.minus(needed(options)));
  }

  /** Why this lifetime is too short, if it is (E3). */
  public Optional<SetupRefusedException> refuseShortLifetime(
      String sinkName, Optional<Duration> lifetime, SinkOptions options) {
    return toleratedOutage(lifetime, options)
        .filter(left -> left.isNegative() || left.isZero())
        .map(
            tooLittle ->
                new SetupRefusedException(
                    sinkName,
                    "the transaction lifetime",
                    lifetime.orElseThrow().toString(),
                    "It must be longer than checkpoint interval plus restart ("
                        + needed(options)
                        + "): raise the lifetime, or lower "
                        + CheckpointingOptions.CHECKPOINTING_INTERVAL.key()
                        + " or SinkOptions.restartAllowance"));
  }

  private Duration needed(SinkOptions options) {
    return Duration.ofMillis(checkpointIntervalMillis).plus(options.restartAllowance());
  }

  Optional<Duration> checkpointInterval() {
    return checkpointing()
        ? Optional.of(Duration.ofMillis(checkpointIntervalMillis))
        : Optional.empty();
  }
}
