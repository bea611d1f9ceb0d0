package dev.twophase.file.internal.bucket;

import java.util.Map;

/**
 * What all subtasks have come to.
 *
 * @param watermark that each of them had passed
 * @param checkpoint by which they had
 * @param checkpoints how far each has come: all its files up to there are visible and durable
 */
record Passed(long watermark, long checkpoint, Map<Integer, Long> checkpoints) {

  /** Whether the files are visible of a transaction that a subtask began after a checkpoint. */
  boolean covers(int subtask, long since) {
    return since < checkpoints.getOrDefault(subtask, checkpoint);
  }
}
