package dev.twophase.file.internal.bucket;

import dev.twophase.TransactionId;
import dev.twophase.file.BucketMarker;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;

/**
 * Keeps a writer from buckets that are complete, and notes those it begins. All methods may be
 * called by several threads at once.
 */
public final class OpenBuckets {

  private final Storage storage;
  private final BucketMarker marker;
  private final BucketNotes notes;
  private volatile long watermark = Long.MIN_VALUE;
  private volatile boolean unsynced;

  public OpenBuckets(Storage storage, String sinkName, BucketMarker marker) {
    this.storage = storage;
    this.marker = marker;
    this.notes = new BucketNotes(storage, sinkName);
  }

  /** Event time has advanced. */
  public void watermark(long timestamp) {
    watermark = timestamp;
  }

  /** The last one. */
  public long watermark() {
    return watermark;
  }

  /**
   * Refuses a record for a bucket that may have its marker.
   *
   * @throws IllegalArgumentException if the marker does not know the bucket
   * @throws LateRecordException if it is late
   */
  public void checkInTime(String bucket) throws LateRecordException {
    boolean complete;
    try {
      complete = marker.isComplete(bucket, watermark);
    } catch (RuntimeException unknown) {
      throw new IllegalArgumentException(
          "The marker set for the sink cannot tell when the bucket '"
              + BucketNames.printable(bucket)
              + "' is complete: "
              + unknown
              + ". Set a marker that knows all buckets, or let the bucket assigner return others",
          unknown);
    }
    if (complete) {
      throw late(bucket, "is complete at the watermark " + watermark);
    }
  }

  /**
   * Refuses a bucket that could not be noted, or whose marker would not be a file of its own.
   *
   * @throws IllegalArgumentException if so
   */
  public void checkName(String bucket) {
    BucketNames.checkNoted(bucket);
    BucketNames.markerOf(bucket, marker);
  }

  /**
   * Notes that a transaction is about to write to the bucket, whose name has been checked.
   *
   * @throws LateRecordException if it is closed or has its marker already
   */
  public void begin(String bucket, TransactionId id) throws IOException {
    String path = BucketNames.markerOf(bucket, marker);
    unsynced = true;
    if (!notes.begin(bucket, id)) {
      throw late(bucket, "has been closed, to get its marker " + storage.fullName(path));
    }
    if (!storage.status(path).isAbsent()) {
      throw late(bucket, "has its marker " + storage.fullName(path));
    }
  }

  /** Makes what was noted durable. */
  public void sync() throws IOException {
    if (unsynced) {
      unsynced = false;
      notes.sync();
    }
  }

  private static LateRecordException late(String bucket, String why) {
    return new LateRecordException(
        "A record for the bucket '"
            + bucket
            + "' is late: the bucket "
            + why
            + ". Take late records out of the stream before the sink, or let buckets be complete"
            + " later");
  }
}
