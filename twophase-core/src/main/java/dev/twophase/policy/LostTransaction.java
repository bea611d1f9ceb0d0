package dev.twophase.policy;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import java.time.Instant;

/**
 * What is known of a transaction that is proven lost.
 *
 * @param id the transaction
 * @param checkpointId the checkpoint that held it
 * @param records number of records lost
 * @param begunAt when the first of them was written
 * @param preparedAt when the last of them had been written
 * @param evidence what proves the loss
 */
public record LostTransaction(
    TransactionId id,
    long checkpointId,
    long records,
    Instant begunAt,
    Instant preparedAt,
    String evidence) {

  /** Describes a prepared transaction for which this evidence of loss was found. */
  public static LostTransaction of(PreparedTransaction<?> transaction, String evidence) {
    return new LostTransaction(
        transaction.id(),
        transaction.checkpointId(),
        transaction.records(),
        Instant.ofEpochMilli(transaction.begunAt()),
        Instant.ofEpochMilli(transaction.preparedAt()),
        evidence);
  }

  /** One line for people. */
  public String describe() {
    return "transaction "
        + id
        + " of checkpoint "
        + checkpointId
        + " with "
        + records
        + " records written from "
        + begunAt
        + " to "
        + preparedAt
        + ": "
        + evidence;
  }
}
