package dev.twophase.internal.flink.setup;

import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.policy.SinkOptions;
import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.core.execution.CheckpointingMode;

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

  /**
   * Checks that a prepared transaction outlives a checkpoint interval and a restart (E3).
   *
   * @throws SetupRefusedException naming setting, value and remedy
   */
  public void refuseShortLifetime(
      String sinkName, TransactionalConnector<?, ?, ?> connector, SinkOptions options) {
    Optional<Duration> lifetime = connector.transactionLifetime();
    Optional<Duration> left = toleratedOutage(lifetime, options);
    if (left.isPresent() && (left.get().isNegative() || left.get().isZero())) {
      throw new SetupRefusedException(
          sinkName,
          connector.transactionLifetimeSetting(),
          lifetime.orElseThrow().toString(),
          "It must be longer than checkpoint interval plus restart ("
              + needed(options)
              + "): raise it, or lower "
              + CheckpointingOptions.CHECKPOINTING_INTERVAL.key()
              + " or SinkOptions.restartAllowance");
    }
  }

  /**
   * Refuses checkpoints that duplicate records whatever the sink does (E3).
   *
   * @throws SetupRefusedException naming setting, value and remedy
   */
  public static void refuseReplayedRecords(String sinkName, CheckpointingMode mode) {
    if (mode != CheckpointingMode.EXACTLY_ONCE) {
      throw new SetupRefusedException(
          sinkName,
          CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE.key(),
          mode.toString(),
          "A failure would make operators before the sink repeat records that it has committed:"
              + " set it to EXACTLY_ONCE, or choose the guarantee AT_LEAST_ONCE");
    }
  }

  private Duration needed(SinkOptions options) {
    return Duration.ofMillis(checkpointIntervalMillis).plus(options.restartAllowance());
  }

  public Optional<Duration> checkpointInterval() {
    return checkpointing()
        ? Optional.of(Duration.ofMillis(checkpointIntervalMillis))
        : Optional.empty();
  }
}
