package dev.twophase.file.internal.bucket;

import dev.twophase.CommitOutcome;
import dev.twophase.file.BucketMarker;
import dev.twophase.file.internal.publish.Commit;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes the markers of complete buckets. Each subtask tells of its progress once its files are
 * visible and durable, and whoever finds that all have passed a bucket's end makes its marker:
 * twice is once. Used by one thread.
 */
public final class BucketMarks {

  private final Storage storage;
  private final BucketMarker marker;
  private final String progressDirectory;
  private final String openDirectory;

  public BucketMarks(Storage storage, String sinkName, BucketMarker marker) {
    this.storage = storage;
    this.marker = marker;
    this.progressDirectory = FileNames.progressDirectory(sinkName);
    this.openDirectory = FileNames.openBucketsDirectory(sinkName);
  }

  /** Makes durable directories, and forgets what former attempts of a subtask have told. */
  public void start(int subtask) throws IOException {
    storage.makeDirectories(progressDirectory);
    storage.makeDirectories(openDirectory);
    storage.syncDirectory(FileNames.HIDDEN);
    for (Progress former : known()) {
      if (former.subtask() == subtask) {
        storage.delete(path(former));
      }
    }
  }

  /**
   * Tells how far these transactions have brought their subtasks, and marks what is complete.
   *
   * @param outcomes theirs: all but what is lost is visible and durable
   */
  public void advance(List<Commit> commits, List<CommitOutcome> outcomes) throws IOException {
    List<Progress> progress = new ArrayList<>();
    for (int i = 0; i < commits.size(); i++) {
      if (!(outcomes.get(i) instanceof CommitOutcome.Lost)) {
        Progress.by(commits.get(i)).ifPresent(progress::add);
      }
    }
    advance(progress);
  }

  private void advance(List<Progress> progress) throws IOException {
    try {
      for (Progress own : progress) {
        storage.makeDirectories(path(own));
      }
      List<Progress> known = known();
      for (Progress own : progress) {
        for (Progress surpassed : own.surpassed(known)) {
          storage.delete(path(surpassed));
        }
        OptionalLong watermark = own.watermarkOfAll(known);
        if (watermark.isPresent()) {
          markUpTo(watermark.getAsLong());
        }
      }
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot mark complete buckets", error);
    }
  }

  private void markUpTo(long watermark) throws IOException {
    for (String name : storage.names(openDirectory)) {
      Optional<String> bucket = OpenBuckets.parse(name);
      if (bucket.isPresent() && marker.isComplete(bucket.get(), watermark)) {
        mark(bucket.get());
        storage.delete(openDirectory + "/" + name);
      }
    }
  }

  private void mark(String bucket) throws IOException {
    String path = OpenBuckets.markerOf(bucket, marker);
    if (storage.status(path).isAbsent()) {
      storage.makeDirectories(bucket);
      try {
        storage.create(path).close();
      } catch (IOException error) {
        // Another subtask may have been faster; how that shows depends on the file system.
        if (!storage.status(path).isFile()) {
          throw error;
        }
      }
    }
    storage.syncDirectory(bucket);
  }

  private List<Progress> known() throws IOException {
    List<Progress> known = new ArrayList<>();
    for (String name : storage.names(progressDirectory)) {
      Progress.parse(name).ifPresent(known::add);
    }
    return known;
  }

  private String path(Progress progress) {
    return progressDirectory + "/" + progress;
  }
}
