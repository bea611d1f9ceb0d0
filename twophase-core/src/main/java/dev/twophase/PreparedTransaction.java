package dev.twophase;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * All that a checkpoint remembers of a prepared transaction: its handle, and what to say and decide
 * about it when it is committed, possibly much later and elsewhere.
 *
 * @param id the transaction
 * @param checkpointId the checkpoint that holds it, or {@link #UNSTAMPED}
 * @param begunAt wall-clock milliseconds
 * @param preparedAt wall-clock milliseconds
 * @param records number of records in it
 * @param handle empty if there was nothing to commit and this only carries {@code lingering} (W5)
 * @param lingering transactions of former attempts to abort once this one is committed (R2)
 */
public record PreparedTransaction<H>(
    TransactionId id,
    long checkpointId,
    long begunAt,
    long preparedAt,
    long records,
    Optional<H> handle,
    List<Unfinished> lingering) {

  /** Value of {@code checkpointId} before the checkpoint is known. */
  public static final long UNSTAMPED = -1;

  public PreparedTransaction {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(handle, "handle");
    lingering = List.copyOf(lingering);
  }

  /** The same transaction, known to be held by this checkpoint. */
  public PreparedTransaction<H> stamped(long checkpoint) {
    return new PreparedTransaction<>(
        id, checkpoint, begunAt, preparedAt, records, handle, lingering);
  }
}
