package dev.twophase.file.internal.bucket;

import dev.twophase.CommitOutcome;
import dev.twophase.file.BucketMarker;
import dev.twophase.file.internal.publish.Commit;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the markers of complete buckets. Each subtask tells of its progress once its files are
 * visible and durable, and whoever finds that all have passed a bucket's end makes its marker:
 * twice is once. Used by one thread.
 */
public final class BucketMarks {

  private static final Logger LOG = LoggerFactory.getLogger(BucketMarks.class);

  private final Set<String> foreign = new HashSet<>();
  private final Storage storage;
  private final BucketMarker marker;
  private final BucketNotes notes;
  private final MarkedBuckets marked;
  private final String progressDirectory;

  public BucketMarks(Storage storage, String sinkName, BucketMarker marker) {
    this.storage = storage;
    this.marker = marker;
    this.progressDirectory = FileNames.progressDirectory(sinkName);
    this.notes = new BucketNotes(storage, sinkName);
    this.marked = new MarkedBuckets(storage, sinkName);
  }

  /** Makes durable directories, and forgets what former attempts of a subtask have told. */
  public void start(int subtask) throws IOException {
    storage.makeDirectories(progressDirectory);
    notes.start();
    marked.start();
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
        Optional<Passed> passed = own.passedByAll(known);
        if (passed.isPresent()) {
          markUpTo(passed.get());
        }
      }
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot mark complete buckets", error);
    }
  }

  private void markUpTo(Passed passed) throws IOException {
    for (String bucket : notes.open()) {
      Optional<String> path = markerIfComplete(bucket, passed.watermark());
      if (path.isPresent() && notes.close(bucket, passed)) {
        mark(bucket, path.get(), passed.checkpoint());
        notes.forget(bucket);
      }
    }
  }

  /** Files that are published already must not wait for a bucket that was begun in another way. */
  private Optional<String> markerIfComplete(String bucket, long watermark) {
    try {
      return marker.isComplete(bucket, watermark)
          ? Optional.of(BucketNames.markerOf(bucket, marker))
          : Optional.empty();
    } catch (RuntimeException unknown) {
      if (foreign.add(bucket)) {
        LOG.warn(
            "The marker set for the sink does not know the bucket '{}', which an earlier run left"
                + " without a marker: it gets none. Run once more with the former marker and bucket"
                + " assigner, or remove what stands for the bucket in {}",
            BucketNames.printable(bucket),
            storage.fullName(notes.directory()),
            unknown);
      }
      return Optional.empty();
    }
  }

  private void mark(String bucket, String path, long checkpoint) throws IOException {
    if (storage.status(path).isAbsent()) {
      marked.add(bucket, FileNames.nameOf(path), checkpoint);
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
