package dev.twophase.file.upkeep;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.Directories;
import dev.twophase.file.internal.OwnerMarks;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.SinkNames;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks after what a sink has left in its directory: collects staged files that nobody will
 * publish, and retires what an abandoned line of a job had published.
 *
 * <p>Only while no job runs under the sink's name. What changes anything takes the name over first,
 * so that a job that runs all the same fails at its next checkpoint instead of losing files; the
 * next job that is started takes it back. What begins with {@code find} changes nothing: the dry
 * run.
 *
 * <p>Nothing is judged by its age or by the beginning of its name: files of other sinks, of other
 * subtasks and of nobody are left alone. Not thread-safe.
 */
public final class SinkDirectory implements AutoCloseable {

  private final Storage storage;
  private final String sinkName;

  private SinkDirectory(Storage storage, String sinkName) {
    this.storage = storage;
    this.sinkName = sinkName;
  }

  /**
   * On a local or mounted file system.
   *
   * @throws IllegalArgumentException if the name is not valid, or the directory is a file
   */
  public static SinkDirectory of(Path directory, String sinkName) {
    return new SinkDirectory(
        Directories.existing(directory), TransactionId.checkSinkName(sinkName));
  }

  /**
   * On any file system that the sink can write to.
   *
   * @param hadoopOptions on top of {@code core-site.xml} and {@code hdfs-site.xml}
   * @throws IllegalArgumentException if the name is not valid, or no sink can write there
   * @throws IOException if the file system cannot be reached
   */
  public static SinkDirectory of(URI directory, String sinkName, Map<String, String> hadoopOptions)
      throws IOException {
    TransactionId.checkSinkName(sinkName);
    return new SinkDirectory(Directories.open(directory, hadoopOptions), sinkName);
  }

  /**
   * Lists the staged files that nobody will publish: those whose transaction a manifest shows as
   * published, and those in no state that a job may be restored from.
   *
   * @param saved the transactions in every savepoint and checkpoint that may still be restored
   * @throws IOException if the directory cannot be read, or no sink of this name has written there
   */
  public List<StagedFile> findOrphans(SavedTransactions saved) throws IOException {
    requireSink();
    return new Orphans(storage, sinkName).find(saved);
  }

  /**
   * Removes what {@link #findOrphans} lists. May be repeated.
   *
   * @return what was removed
   * @throws IOException if something cannot be removed; the rest may have been
   */
  public List<StagedFile> removeOrphans(SavedTransactions saved) throws IOException {
    takeOver();
    Orphans orphans = new Orphans(storage, sinkName);
    List<StagedFile> found = orphans.find(saved);
    orphans.remove(found);
    return found;
  }

  /**
   * Lists the files that were published since a checkpoint, with their manifests and with the
   * markers of buckets that were made since: what restoring that checkpoint would publish again.
   *
   * @param checkpointId of the savepoint or checkpoint to be restored; 0 for a start without state
   * @return paths relative to the sink's directory
   * @throws IllegalArgumentException if the checkpoint is negative
   * @throws IOException if the directory cannot be read, or no sink of this name has written there
   */
  public List<String> findPublishedSince(long checkpointId) throws IOException {
    checkCheckpoint(checkpointId);
    requireSink();
    return new Retirement(storage, sinkName).find(checkpointId);
  }

  /**
   * Takes the files that {@link #findPublishedSince} lists out of the readers' sight, to be called
   * before that checkpoint is restored, which is no rewind then. They are moved below {@code
   * .twophase/NAME.retired}, manifests first (markers are removed, before all else), after a list
   * of them is left below {@code _retired/NAME}, where readers who have seen them can find it. May
   * be repeated, also after a crash. Later checkpoints of the jobs that had published them are
   * refused from then on, because their records would be missing.
   *
   * @return what was retired
   * @throws IllegalArgumentException if the checkpoint is negative
   * @throws IOException if something cannot be moved; the rest may have been
   */
  public List<String> retirePublishedSince(long checkpointId) throws IOException {
    checkCheckpoint(checkpointId);
    long line = takeOver();
    Retirement retirement = new Retirement(storage, sinkName);
    List<String> found = retirement.find(checkpointId);
    retirement.retire(found, checkpointId, line);
    return found;
  }

  private static void checkCheckpoint(long checkpointId) {
    if (checkpointId < 0) {
      throw new IllegalArgumentException(
          "checkpointId is "
              + checkpointId
              + ": use the number of the checkpoint that will be restored, or 0 if none will be");
    }
  }

  /**
   * All that was ever retired, in no order; empty if nothing was.
   *
   * @throws IOException as {@link #findPublishedSince}
   */
  public List<String> retired() throws IOException {
    requireSink();
    return new Retirement(storage, sinkName).recorded();
  }

  /** Releases the client of a Hadoop file system. */
  @Override
  public void close() throws IOException {
    storage.close();
  }

  /** A misspelt name would look like one with nothing to do. */
  private void requireSink() throws IOException {
    Optional<String> instead = SinkNames.insteadOf(storage, sinkName);
    if (instead.isPresent()) {
      throw new IOException(instead.get() + ". Check the directory and the sink's name");
    }
  }

  private long takeOver() throws IOException {
    requireSink();
    try {
      storage.makeDirectories(FileNames.HIDDEN);
      return new OwnerMarks(storage, sinkName, "upkeep-" + UUID.randomUUID()).claimOnce();
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot take over the sink's name", error);
    }
  }
}
