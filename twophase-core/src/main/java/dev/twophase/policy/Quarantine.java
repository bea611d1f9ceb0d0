package dev.twophase.policy;

import java.io.Serializable;

/** Keeps a durable record of what was lost, so that a job may go on (C9). */
@FunctionalInterface
public interface Quarantine extends Serializable {

  /**
   * Records a loss. Idempotent: after a crash the same loss is recorded again. Must be durable when
   * it returns.
   *
   * @throws Exception if it could not be recorded; the job then fails instead of going on
   */
  void record(LostTransaction lost) throws Exception;
}
