package dev.twophase.file.internal.bucket;

import dev.twophase.TransactionId;
import dev.twophase.file.BucketRefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Where a record is found again, without showing what is in it.
 *
 * @param transaction that it was for
 * @param number counted from 1 since the checkpoint after which the transaction began
 * @param timestamp of the stream, if it has one
 */
public record RecordPlace(TransactionId transaction, long number, @Nullable Long timestamp) {

  /** The refusal of this record for its bucket. */
  public BucketRefusedException refused(@Nullable String bucket, IllegalArgumentException reason) {
    return new BucketRefusedException(
        bucket,
        reason.getMessage()
            + ". It is record "
            + number
            + " of subtask "
            + transaction.subtask()
            + " of sink '"
            + transaction.sinkName()
            + "' since "
            + (transaction.since() == 0 ? "the start" : "checkpoint " + transaction.since())
            + (timestamp == null ? "" : ", with the timestamp " + timestamp)
            + ". A restart meets it again: mend the bucket assigner, or take such records out of"
            + " the stream before the sink, and start the job from its latest checkpoint, which"
            + " loses nothing",
        reason);
  }
}
