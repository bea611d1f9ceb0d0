package dev.twophase;

import dev.twophase.error.SetupRefusedException;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.connector.base.DeliveryGuarantee;

/** The job's settings, for {@link TransactionalConnector#preflight}. */
public interface PreflightContext {

  String sinkName();

  DeliveryGuarantee guarantee();

  int parallelism();

  /** Whether the job runs in BATCH mode, where everything is committed at end of input (C1). */
  boolean batch();

  /** Empty if the job takes no checkpoints. */
  Optional<Duration> checkpointInterval();

  /**
   * Whether commits run in a task beside the writer's, as {@link
   * TransactionalConnector#commitsWhileWriting} asks for; else a writer that waits for a commit
   * waits for itself.
   */
  default boolean commitsBesideWriter() {
    return false;
  }

  /** How long a restart is allowed to take, as the job author configured it. */
  Duration restartAllowance();

  /**
   * Makes the exception with which to refuse a set-up.
   *
   * @param setting name of the setting at fault
   * @param value its value; no secrets (S2)
   * @param remedy what to do, as an imperative
   */
  default SetupRefusedException refuse(String setting, Object value, String remedy) {
    return new SetupRefusedException(sinkName(), setting, String.valueOf(value), remedy);
  }
}
