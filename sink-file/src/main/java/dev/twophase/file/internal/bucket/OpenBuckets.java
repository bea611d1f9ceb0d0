package dev.twophase.file.internal.bucket;

import dev.twophase.TransactionId;
import dev.twophase.file.BucketMarker;
import dev.twophase.file.internal.publish.FileNames;
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
   * @throws IOException if it is late
   */
  public void checkInTime(String bucket) throws IOException {
    if (marker.isComplete(bucket, watermark)) {
      throw late(bucket, "is complete at the watermark " + watermark);
    }
  }

  /**
   * Notes that a transaction is about to write to the bucket.
   *
   * @throws IOException if it is closed or has its marker already
   */
  public void begin(String bucket, TransactionId id) throws IOException {
    String name = EncodedName.ofBucket(bucket);
    if (name.length() > FileNames.MAX_NAME_BYTES) {
      throw new IOException(
          "the bucket's name, encoded for a URL, is longer than "
              + (FileNames.MAX_NAME_BYTES - EncodedName.ofBucket("").length())
              + " bytes, which is the most where buckets get markers");
    }
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

  private static IOException late(String bucket, String why) {
    return new IOException(
        "A record for the bucket '"
            + bucket
            + "' is late: the bucket "
            + why
            + ". Take late records out of the stream before the sink, or let buckets be complete"
            + " later");
  }
}
