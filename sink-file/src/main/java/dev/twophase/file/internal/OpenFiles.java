package dev.twophase.file.internal;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.file.BucketMarker;
import dev.twophase.file.internal.bucket.BucketMarks;
import dev.twophase.file.internal.bucket.OpenBuckets;
import dev.twophase.file.internal.publish.Commit;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.Publisher;
import dev.twophase.file.internal.publish.RunMark;
import dev.twophase.file.internal.publish.SinceMarks;
import dev.twophase.file.internal.storage.IoPool;
import dev.twophase.file.internal.storage.ProbeNames;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import dev.twophase.file.internal.write.BufferPool;
import dev.twophase.file.internal.write.FileWriter;
import dev.twophase.file.internal.write.ManifestWriter;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** What an opened connector holds: the storage, the threads, and the view of one sink's files. */
final class OpenFiles<IN> implements AutoCloseable {

  private final FileSettings<IN> settings;
  private final String sinkName;
  private final int subtask;
  private final int parallelism;
  private final String staging;
  private final Storage storage;
  private final IoPool pool;
  private final Optional<BucketMarks> marks;
  private final Optional<OpenBuckets> openBuckets;
  private final Publisher publisher;
  private final Optional<OwnerMarks> owner;
  private final Rewinds rewinds;
  private Optional<ManifestWriter> manifests = Optional.empty();
  private long line;
  private long currentLine;
  private boolean claimed;
  private boolean branched;
  private boolean started;

  OpenFiles(FileSettings<IN> settings, ConnectorContext context) throws IOException {
    this.settings = settings;
    this.sinkName = context.sinkName();
    this.subtask = context.subtask();
    this.parallelism = context.parallelism();
    this.staging = FileNames.stagingDirectory(sinkName);
    this.storage = settings.storageFactory().open(settings.directory());
    this.pool = new IoPool(settings.ioThreads(), "file-sink-" + sinkName + "-" + context.subtask());
    BucketMarker marker = settings.marker();
    this.marks =
        marker == null ? Optional.empty() : Optional.of(new BucketMarks(storage, sinkName, marker));
    this.openBuckets =
        marker == null ? Optional.empty() : Optional.of(new OpenBuckets(storage, sinkName, marker));
    this.publisher = new Publisher(storage, pool);
    this.owner = context.jobId().map(job -> new OwnerMarks(storage, sinkName, job));
    this.rewinds = new Rewinds(storage, context);
  }

  /** Commits transactions, and marks the buckets that are complete with them. */
  List<CommitOutcome> commit(List<Commit> commits)
      throws IOException, CommitRefusedException, InterruptedException {
    rewinds.refuseLeft(commits, settings.acceptsRewinds(), publisher);
    List<CommitOutcome> outcomes = publisher.publish(commits);
    markEnds(commits, outcomes);
    if (marks.isPresent()) {
      marks.get().advance(commits, outcomes);
    }
    return outcomes;
  }

  /** After a loss only where the job goes on without it. */
  private void markEnds(List<Commit> commits, List<CommitOutcome> outcomes) throws IOException {
    for (int i = 0; i < commits.size(); i++) {
      if (settings.quarantinesLosses() || !(outcomes.get(i) instanceof CommitOutcome.Lost)) {
        Optional<RunMark> end = RunMark.ofEnd(commits.get(i));
        if (end.isPresent()) {
          end.get().leave(storage, sinkName);
        }
      }
    }
  }

  /** A writer, with a durable directory for its staged files. */
  FileWriter<IN> newWriter(ConnectorContext context) throws IOException {
    prepareStaging();
    SinceMarks.tidy(storage, sinkName);
    if (settings.manifests()) {
      manifests =
          Optional.of(new ManifestWriter(storage, settings.names(), parallelism, openBuckets));
    }
    return new FileWriter<>(
        storage,
        pool,
        settings.names(),
        settings.format(),
        settings.bucketAssigner(),
        settings.rolling(),
        new BufferPool(settings.bufferBytes()),
        manifests,
        openBuckets,
        context.bytesSent(),
        parallelism);
  }

  /**
   * Makes the name this job's own (R6). Not before the check for a rewind: a clone that is refused
   * takes nothing from the original.
   */
  void claim() throws IOException {
    claimAbove(0);
  }

  private void claimAbove(long formerLine) throws IOException {
    if (!claimed) {
      if (owner.isPresent()) {
        line = owner.get().claim(formerLine);
        currentLine = line;
      }
      if (marks.isPresent()) {
        marks.get().start(subtask);
      }
      claimed = true;
    }
  }

  /** Claims the name, and tells readers of manifests since when this subtask runs. */
  void start(TransactionId first) throws IOException {
    if (!started) {
      claim();
      if (manifests.isPresent()) {
        RunMark mark = new RunMark(line, parallelism, subtask, first.since(), false);
        mark.leave(storage, sinkName);
        mark.tidy(storage, sinkName);
        manifests.get().start(line);
      }
      started = true;
    }
  }

  /** Refuses to go on under a name that another job has taken over (R6). */
  void checkOwner() throws IOException {
    if (owner.isPresent()) {
      currentLine = owner.get().check();
    }
  }

  void preflight() throws IOException {
    refuseAnotherSinksBucket();
    refuseToLeaveManifestsOff();
    try {
      removeFormerProbes();
      storage.probe(staging, ProbeNames.unique(subtask));
    } catch (IOException error) {
      throw unusable("Files cannot be made and linked there", error);
    }
  }

  /** Those of this subtask, and of former ones that there are no more. */
  private void removeFormerProbes() throws IOException {
    for (String name : storage.names(staging)) {
      OptionalInt former = ProbeNames.subtaskOf(name);
      if (former.isPresent() && former.getAsInt() % parallelism == subtask) {
        storage.delete(staging + "/" + name);
      }
    }
  }

  /** Refuses what a restart would meet again (E3); a full disk or a server in safe mode passes. */
  private IOException unusable(String attempted, IOException error) {
    if (StorageErrors.lasts(error)) {
      throw new SetupRefusedException(
          sinkName,
          "directory",
          settings.directory().toString(),
          StorageErrors.describe(attempted, error));
    }
    return StorageErrors.explain(attempted, error);
  }

  /** Each transaction once, however many files it has. */
  List<Unfinished> unfinished() throws IOException {
    Set<TransactionId> found = new LinkedHashSet<>();
    for (String name : stagedNames()) {
      FileNames.transactionOfStaged(name, sinkName).ifPresent(found::add);
    }
    return found.stream().map(Unfinished::of).toList();
  }

  /** Removes the staged files of this transaction and no other (A1). */
  void abort(TransactionId id) throws IOException {
    for (String name : stagedNames()) {
      if (FileNames.transactionOfStaged(name, sinkName).filter(id::equals).isPresent()) {
        String path = staging + "/" + name;
        try {
          storage.delete(path);
        } catch (IOException error) {
          throw StorageErrors.explain("Cannot remove " + storage.fullName(path), error);
        }
      }
    }
  }

  /**
   * Finds a transaction that was committed and that a checkpoint does not cover. Where rewinds are
   * accepted it is found once: the next start of the new line is no rewind.
   */
  Optional<TransactionId> committedSince(long checkpointId)
      throws IOException, RewindDetectedException {
    Optional<TransactionId> proof = rewinds.find(checkpointId);
    if (proof.isPresent() && settings.acceptsRewinds()) {
      claimAbove(rewinds.restoredLine());
      rewinds.accept(checkpointId, line());
    }
    return proof;
  }

  /**
   * Number of the job that has the name, by the last look at it: all subtasks of a checkpoint give
   * the same. Empty if jobs are not told apart, or before the claim.
   */
  OptionalLong line() {
    return currentLine == 0 ? OptionalLong.empty() : OptionalLong.of(currentLine);
  }

  /** Told before the first transaction that may be committed is handed over. */
  void branchOff(TransactionId first) throws IOException {
    if (!branched && line > 0) {
      rewinds.begin(line, first);
      branched = true;
    }
  }

  /** How to go back all the same. */
  String rewindRemedy(long checkpointId) {
    return rewinds.remedy(checkpointId);
  }

  @Override
  public void close() throws IOException {
    try (storage) {
      pool.close();
    }
  }

  private List<String> stagedNames() throws IOException {
    try {
      return storage.names(staging);
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot list " + storage.fullName(staging), error);
    }
  }

  /** Before anything is made: it would make the bucket another sink's for the one it belongs to. */
  private void refuseAnotherSinksBucket() throws IOException {
    if (!storage.status(staging).isAbsent()) {
      return;
    }
    Optional<String> above = storage.above(staging);
    if (above.isPresent()) {
      throw new SetupRefusedException(
          sinkName,
          "directory",
          settings.directory().toString(),
          "It lies in "
              + above.get()
              + ", which a sink of the same name writes to, so their files could not be told apart:"
              + " choose another name or a directory elsewhere");
    }
  }

  /** Readers would never be shown what is written meanwhile, whatever comes after (E3). */
  private void refuseToLeaveManifestsOff() throws IOException {
    if (!settings.manifests() && !RunMark.all(storage, sinkName).isEmpty()) {
      throw new SetupRefusedException(
          sinkName,
          "manifests",
          "off",
          "This sink has left manifests before, and their readers would miss what it writes without"
              + " them, also once they are on again. Switch manifests() on; or, if nobody reads them"
              + " any more, remove "
              + storage.fullName(FileNames.runsDirectory(sinkName))
              + " and "
              + storage.fullName(FileNames.manifestDirectory(sinkName)));
    }
  }

  private void prepareStaging() throws IOException {
    try {
      refuseAnotherSinksBucket();
      storage.makeDirectories(staging);
      storage.syncDirectory(staging);
      storage.syncDirectory(FileNames.HIDDEN);
      storage.syncDirectory("");
    } catch (IOException error) {
      throw unusable("Cannot make " + storage.fullName(staging), error);
    }
  }
}
