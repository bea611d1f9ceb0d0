package dev.twophase.internal.engine;

import dev.twophase.TransactionId;
import java.util.UUID;

/**
 * One attempt of one subtask: who begins transactions.
 *
 * @param restoredCheckpoint the checkpoint it was restored from, or 0
 */
public record Attempt(
    String sinkName, int subtask, int parallelism, UUID nonce, long restoredCheckpoint) {

  TransactionId transactionSince(long checkpointId) {
    return new TransactionId(sinkName, subtask, checkpointId, nonce);
  }

  /**
   * Whether cleaning up after the transaction is this subtask's duty: it is of the same sink, of a
   * former subtask that maps here at the present parallelism (R3), and of another attempt (R2).
   */
  boolean inherits(TransactionId id) {
    return id.sinkName().equals(sinkName)
        && id.subtask() % parallelism == subtask
        && !id.nonce().equals(nonce);
  }
}
