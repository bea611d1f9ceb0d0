package dev.twophase.file.internal.bucket;

import dev.twophase.file.BucketMarker;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The buckets that have data and no marker yet, as empty directories called by them: they outlive
 * the attempt that began a bucket. All methods may be called by several threads at once.
 */
public final class OpenBuckets {

  private static final String PREFIX = "bucket=";

  private final Storage storage;
  private final BucketMarker marker;
  private final String directory;
  private volatile long watermark = Long.MIN_VALUE;
  private volatile boolean unsynced;

  public OpenBuckets(Storage storage, String sinkName, BucketMarker marker) {
    this.storage = storage;
    this.marker = marker;
    this.directory = FileNames.openBucketsDirectory(sinkName);
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
   * Notes that the bucket is about to get data.
   *
   * @throws IOException if it has its marker already
   */
  public void begin(String bucket) throws IOException {
    String name = PREFIX + URLEncoder.encode(bucket, StandardCharsets.UTF_8);
    if (name.length() > FileNames.MAX_NAME_BYTES) {
      throw new IOException(
          "the bucket's name, encoded for a URL, is longer than "
              + (FileNames.MAX_NAME_BYTES - PREFIX.length())
              + " bytes, which is the most where buckets get markers");
    }
    if (!storage.status(markerOf(bucket, marker)).isAbsent()) {
      throw late(bucket, "has its marker " + storage.fullName(markerOf(bucket, marker)));
    }
    storage.makeDirectories(directory + "/" + name);
    unsynced = true;
  }

  /** Makes what was noted durable. */
  public void sync() throws IOException {
    if (unsynced) {
      unsynced = false;
      storage.syncDirectory(directory);
    }
  }

  /** The bucket that a directory stands for. */
  static Optional<String> parse(String name) {
    return name.startsWith(PREFIX)
        ? Optional.of(URLDecoder.decode(name.substring(PREFIX.length()), StandardCharsets.UTF_8))
        : Optional.empty();
  }

  /** Path of a bucket's marker. */
  static String markerOf(String bucket, BucketMarker marker) {
    String name = BucketNames.checkFileName(bucket, marker.fileName(bucket));
    return bucket.isEmpty() ? name : bucket + "/" + name;
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
