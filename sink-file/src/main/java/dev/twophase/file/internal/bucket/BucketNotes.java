package dev.twophase.file.internal.bucket;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The buckets that have data and no marker yet, and who began to write to them. Each is a directory
 * that outlives the attempt that began the bucket:
 *
 * <pre>
 * DIRECTORY/.twophase/orders.buckets/bucket=2026-01-31/3.17     subtask 3 began after checkpoint 17
 * DIRECTORY/.twophase/orders.buckets/bucket=2026-01-31/closed   its marker is about to be made
 * </pre>
 *
 * <p>Who writes leaves a note and then looks whether the bucket is closed; who marks closes it and
 * then looks at the notes. So one of two that meet always sees the other. All methods may be called
 * by several threads and processes at once.
 */
public final class BucketNotes {

  private static final String CLOSED = "closed";
  private static final Pattern NOTE = Pattern.compile("(\\d{1,9})\\.(\\d{1,18})");

  private final Storage storage;
  private final String directory;

  public BucketNotes(Storage storage, String sinkName) {
    this.storage = storage;
    this.directory = FileNames.openBucketsDirectory(sinkName);
  }

  /** Where they are, below the base directory. */
  String directory() {
    return directory;
  }

  /** Makes the directory of all notes. */
  void start() throws IOException {
    storage.makeDirectories(directory);
  }

  /**
   * Notes that a transaction is about to write to a bucket.
   *
   * @return whether it may: not if the bucket has been closed
   */
  boolean begin(String bucket, TransactionId id) throws IOException {
    storage.makeDirectories(path(bucket) + "/" + id.subtask() + "." + id.since());
    return storage.status(path(bucket) + "/" + CLOSED).isAbsent();
  }

  /** Makes it durable which buckets are open. */
  void sync() throws IOException {
    storage.syncDirectory(directory);
  }

  /** The buckets that have no marker yet. */
  List<String> open() throws IOException {
    List<String> open = new ArrayList<>();
    for (String name : storage.names(directory)) {
      EncodedName.bucketOf(name).ifPresent(open::add);
    }
    return open;
  }

  /**
   * Takes no more records for a bucket.
   *
   * @return whether all of those that it took are visible and durable
   */
  boolean close(String bucket, Passed passed) throws IOException {
    storage.makeDirectories(path(bucket) + "/" + CLOSED);
    for (String note : storage.names(path(bucket))) {
      Matcher begun = NOTE.matcher(note);
      if (begun.matches()
          && !passed.covers(Integer.parseInt(begun.group(1)), Long.parseLong(begun.group(2)))) {
        return false;
      }
    }
    return true;
  }

  /** Forgets a bucket, which has its marker. */
  void forget(String bucket) throws IOException {
    for (String note : storage.names(path(bucket))) {
      storage.delete(path(bucket) + "/" + note);
    }
    try {
      storage.delete(path(bucket));
    } catch (IOException error) {
      // Who comes too late has left a note before it finds the marker.
      if (storage.names(path(bucket)).isEmpty()) {
        throw error;
      }
    }
  }

  /** Opens a bucket anew, whose marker is about to be taken away. */
  public void reopen(String bucket) throws IOException {
    storage.makeDirectories(path(bucket));
    sync();
  }

  /** Takes back that buckets were closed, while nobody writes and nobody marks. */
  public void takeRecordsAgain() throws IOException {
    for (String bucket : open()) {
      storage.delete(path(bucket) + "/" + CLOSED);
    }
  }

  private String path(String bucket) {
    return directory + "/" + EncodedName.ofBucket(bucket);
  }
}
