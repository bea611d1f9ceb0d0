package dev.twophase.file.internal.publish;

import static java.util.stream.Collectors.toList;

import dev.twophase.CommitOutcome;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.file.internal.storage.FileStatus;
import dev.twophase.file.internal.storage.IoPool;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Commits the files of prepared transactions, all of them together: bucket by bucket move all and
 * sync the directory, then sync the parents, and only then remove the staged names. A power failure
 * at any point leaves each file under at least one of its two names.
 *
 * <p>All that it needs is in the handles and on disk; what it remembers only spares repetition.
 */
public final class Publisher {

  private static final int MAX_NAMED = 3;

  /** Moves of one bucket that one thread makes: a bucket of many files is no slower than many. */
  private static final int SLICE = 8;

  /** So many files are asked for together: the answer may tell of as many that are not ours. */
  private static final int ASKED_TOGETHER = 16;

  private final Storage storage;
  private final IoPool pool;
  private final SinceMarks marks;

  public Publisher(Storage storage, IoPool pool) {
    this.storage = storage;
    this.pool = pool;
    this.marks = new SinceMarks(storage);
  }

  /**
   * Commits transactions and returns their outcomes in the same order.
   *
   * @throws CommitRefusedException if something is in the way of a file; others may have become
   *     visible, all staged names remain, and committing again goes on from there
   * @throws IOException if the outcome is unknown
   */
  public List<CommitOutcome> publish(List<Commit> commits)
      throws IOException, CommitRefusedException, InterruptedException {
    List<Transaction> transactions = new ArrayList<>(commits.size());
    for (Commit commit : commits) {
      checkBase(commit.handle());
      transactions.add(Transaction.of(storage, commit));
    }
    List<Move> files = transactions.stream().map(Transaction::files).flatMap(List::stream).toList();
    marks.leave(
        commits.stream()
            .filter(commit -> !commit.handle().files().isEmpty())
            .map(Commit::id)
            .toList());
    make(files);
    // A manifest that can be seen lists files that can be seen, and will be after a power failure.
    List<Move> manifests = transactions.stream().flatMap(Transaction::manifestIfWhole).toList();
    make(manifests);
    for (Transaction transaction : transactions) {
      transaction.acceptRemovedManifest(storage);
    }
    List<String> leftovers =
        transactions.stream().map(Transaction::leftovers).flatMap(List::stream).toList();
    pool.forEach(files.size(), i -> files.get(i).tidy());
    pool.forEach(leftovers.size(), i -> delete(leftovers.get(i)));
    pool.forEach(manifests.size(), i -> manifests.get(i).tidy());
    marks.tidy();
    List<CommitOutcome> outcomes = new ArrayList<>();
    for (Transaction transaction : transactions) {
      outcomes.add(outcome(transaction));
    }
    return outcomes;
  }

  /** Whether committing this again would show readers nothing new. */
  public boolean isPublished(Commit commit) throws IOException {
    Transaction transaction = Transaction.of(storage, commit);
    if (transaction.done()) {
      return true;
    }
    for (Move file : transaction.files()) {
      if (!file.isDone()) {
        return false;
      }
    }
    return transaction.manifest().isEmpty();
  }

  private void make(List<Move> moves)
      throws IOException, CommitRefusedException, InterruptedException {
    Map<String, List<Move>> byBucket =
        moves.stream().collect(Collectors.groupingBy(Move::bucket, LinkedHashMap::new, toList()));
    List<Slice> slices = new ArrayList<>();
    for (List<Move> bucket : byBucket.values()) {
      AtomicInteger left = new AtomicInteger((bucket.size() + SLICE - 1) / SLICE);
      for (int from = 0; from < bucket.size(); from += SLICE) {
        int to = Math.min(bucket.size(), from + SLICE);
        slices.add(new Slice(bucket.subList(from, to), bucket, left));
      }
    }
    pool.forEach(slices.size(), i -> publish(slices.get(i)));
    checkRefusals(moves);
    syncParents(
        byBucket.values().stream()
            .filter(Publisher::anyVisible)
            .map(bucket -> bucket.get(0).bucket())
            .toList());
  }

  /**
   * Moves that one thread makes.
   *
   * @param bucket all moves of their bucket
   * @param left how many slices of it are not done
   */
  private record Slice(List<Move> moves, List<Move> bucket, AtomicInteger left) {}

  /**
   * The moves of a transaction.
   *
   * @param done whether its manifest is visible: then its files have been, even if a reader has
   *     taken them away since
   * @param leftovers staged names that a power failure may then have brought back
   */
  private record Transaction(
      List<Move> files, Optional<Move> manifest, boolean done, List<String> leftovers) {

    static Transaction of(Storage storage, Commit commit) throws IOException {
      FileHandle handle = commit.handle();
      Optional<Move> manifest =
          handle
              .manifest()
              .map(
                  prepared ->
                      new Move(
                          storage,
                          prepared.file(commit.checkpointId()),
                          handle.staged(prepared.file()),
                          prepared.target(commit.checkpointId())));
      boolean done = manifest.isPresent() && manifest.get().isDone();
      if (done) {
        List<String> leftovers = handle.files().stream().map(handle::staged).toList();
        return new Transaction(List.of(), manifest, true, leftovers);
      }
      Map<String, FileStatus> settled = settled(storage, handle);
      List<Move> files =
          handle.files().stream()
              .map(
                  file ->
                      new Move(
                          storage,
                          file,
                          handle.staged(file),
                          handle.target(file),
                          Optional.ofNullable(settled.get(handle.staged(file)))))
              .toList();
      return new Transaction(files, manifest, false, List.of());
    }

    private static Map<String, FileStatus> settled(Storage storage, FileHandle handle)
        throws IOException {
      if (handle.files().size() < ASKED_TOGETHER) {
        return Map.of();
      }
      try {
        return storage.settledTogether(handle.stagedPrefix());
      } catch (IOException error) {
        throw StorageErrors.explain(
            "Cannot list " + storage.fullName(handle.stagedPrefix()) + "*", error);
      }
    }

    /**
     * Where staged names stay until they are deleted, that is only done once the manifest is
     * visible: a published file without one proves that the manifest was there, whoever has removed
     * it since. A transaction without files has nothing that could be lost.
     */
    void acceptRemovedManifest(Storage storage) throws IOException {
      if (manifest.isEmpty() || !manifest.get().isMissing()) {
        return;
      }
      boolean tidied = files.stream().anyMatch(Move::wasTidied);
      if (files.isEmpty() || (tidied && storage.keepsStagedNames(manifest.get().stagedIn()))) {
        manifest.get().accept();
      }
    }

    Stream<Move> manifestIfWhole() {
      return with(files, Move.Verdict.LOST).isEmpty() ? manifest.stream() : Stream.empty();
    }
  }

  private void checkBase(FileHandle handle) throws CommitRefusedException {
    if (!handle.base().equals(storage.base())) {
      throw new CommitRefusedException(
          "Files were prepared in "
              + handle.base()
              + ", but the sink's directory is now "
              + storage.base()
              + ". Start the job with the old directory (a symbolic link or mount of that name will do),"
              + " or, if it was stopped with a savepoint and "
              + FileNames.HIDDEN
              + " there holds no staged file of this sink, give the sink another uid and allow"
              + " non-restored state: all that the savepoint knows of it is committed then");
    }
  }

  private static void checkRefusals(List<Move> moves) throws CommitRefusedException {
    List<Move> refused = with(moves, Move.Verdict.REFUSED);
    if (!refused.isEmpty()) {
      throw new CommitRefusedException(details(refused, moves.size(), "cannot be published"));
    }
  }

  /** The thread that ends the last slice of a bucket syncs it. */
  private void publish(Slice slice) throws IOException {
    for (Move move : slice.moves()) {
      move.run();
    }
    if (slice.left().decrementAndGet() == 0) {
      syncIfVisible(slice.bucket());
    }
  }

  private void syncIfVisible(List<Move> bucket) throws IOException {
    if (anyVisible(bucket)) {
      sync(bucket.get(0).bucket());
    }
  }

  /** Where none is, there may be no directory either. */
  private static boolean anyVisible(List<Move> bucket) {
    return bucket.stream().anyMatch(Move::isVisible);
  }

  /**
   * Parents are synced whether or not this commit made the bucket: an earlier process may have made
   * it and died before its own sync.
   */
  private void syncParents(List<String> buckets) throws IOException, InterruptedException {
    Set<String> parents = new TreeSet<>();
    buckets.forEach(bucket -> addParents(bucket, parents));
    List<String> toSync = List.copyOf(parents);
    pool.forEach(toSync.size(), i -> sync(toSync.get(i)));
  }

  private void delete(String path) throws IOException {
    try {
      storage.delete(path);
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot remove " + storage.fullName(path), error);
    }
  }

  private void sync(String directory) throws IOException {
    try {
      storage.syncDirectory(directory);
    } catch (IOException error) {
      throw StorageErrors.explain(
          "Cannot sync the directory " + storage.fullName(directory), error);
    }
  }

  private static void addParents(String directory, Set<String> all) {
    String current = directory;
    while (!current.isEmpty()) {
      current = current.substring(0, Math.max(0, current.lastIndexOf('/')));
      if (!all.add(current)) {
        return;
      }
    }
  }

  private CommitOutcome outcome(Transaction transaction) throws IOException {
    List<Move> moves =
        Stream.concat(transaction.files().stream(), transaction.manifest().stream()).toList();
    List<Move> lost = with(moves, Move.Verdict.LOST);
    if (!lost.isEmpty()) {
      return CommitOutcome.lost(
          details(lost, moves.size(), "lost, the others are published") + retired(lost));
    }
    return transaction.done() || with(moves, Move.Verdict.ALREADY).size() == moves.size()
        ? CommitOutcome.alreadyCommitted()
        : CommitOutcome.committed();
  }

  /** Who went back to a checkpoint of the line that was retired must not go on without these. */
  private String retired(List<Move> lost) throws IOException {
    Optional<Move> missing = lost.stream().filter(Move::isMissing).findFirst();
    if (missing.isEmpty()) {
      return "";
    }
    String retired = FileNames.retiredDirectory(FileNames.nameOf(missing.get().stagedIn()));
    return storage.status(retired).isAbsent()
        ? ""
        : ". Files of this sink have been retired to "
            + storage.fullName(retired)
            + ": if what is missing is among them, the restored checkpoint is of the line that was"
            + " abandoned then, so restore one of the line after it";
  }

  private static List<Move> with(List<Move> moves, Move.Verdict verdict) {
    return moves.stream().filter(move -> move.verdict() == verdict).toList();
  }

  private static String details(List<Move> some, int all, String what) {
    String named =
        some.stream().limit(MAX_NAMED).map(Move::detail).collect(Collectors.joining("; "));
    String more = some.size() > MAX_NAMED ? "; and " + (some.size() - MAX_NAMED) + " more" : "";
    return some.size() + " of " + all + " files " + what + ": " + named + more;
  }
}
