package dev.twophase.internal.flink.setup;

import dev.twophase.error.SetupRefusedException;

/**
 * What a refused set-up does to the job. At its start, it ends the job. At a restart, when the
 * set-up has been spoiled meanwhile, it must not: a job that ends for good takes its checkpoints
 * with it unless they are retained, and with them what is prepared and not yet committed. So Flink
 * goes on restarting it until the set-up is mended.
 */
public final class RefusedStart {

  private RefusedStart() {}

  /**
   * The exception to throw.
   *
   * @param attempt of the task, from 0
   */
  public static RuntimeException of(SetupRefusedException refused, int attempt) {
    if (attempt == 0) {
      return refused;
    }
    String message = String.valueOf(refused.getMessage());
    // Without the cause: Flink looks for exceptions that end a job among causes, too.
    IllegalStateException again =
        new IllegalStateException(
            message
                + (message.endsWith(".") ? "" : ".")
                + " It was found at a restart: the job is restarted until it is mended, and keeps its"
                + " checkpoints meanwhile");
    again.setStackTrace(refused.getStackTrace());
    return again;
  }
}
