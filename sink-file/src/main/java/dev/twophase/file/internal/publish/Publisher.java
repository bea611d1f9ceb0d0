package dev.twophase.file.internal.publish;

import dev.twophase.CommitOutcome;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.file.internal.storage.IoPool;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Commits the files of prepared transactions, all of them together: look at all, then move all,
 * then sync every directory concerned once, and only then remove the staged names. A power failure
 * at any point leaves each file under at least one of its two names.
 *
 * <p>Remembers nothing: all that it needs is in the handles and on disk.
 */
public final class Publisher {

  private static final int MAX_NAMED = 3;

  private final Storage storage;
  private final IoPool pool;

  public Publisher(Storage storage, IoPool pool) {
    this.storage = storage;
    this.pool = pool;
  }

  /**
   * Commits transactions and returns their outcomes in the same order.
   *
   * @throws CommitRefusedException if something is in the way of a file; others may have become
   *     visible, all staged names remain, and committing again goes on from there
   * @throws IOException if the outcome is unknown
   */
  public List<CommitOutcome> publish(List<FileHandle> handles)
      throws IOException, CommitRefusedException, InterruptedException {
    List<List<Move>> transactions = new ArrayList<>(handles.size());
    for (FileHandle handle : handles) {
      checkBase(handle);
      transactions.add(
          handle.files().stream().map(file -> new Move(storage, handle, file)).toList());
    }
    List<Move> moves = transactions.stream().flatMap(List::stream).toList();
    pool.forEach(moves.size(), i -> moves.get(i).run());
    checkRefusals(moves);
    finish(moves);
    return transactions.stream().map(Publisher::outcome).toList();
  }

  private void checkBase(FileHandle handle) throws CommitRefusedException {
    if (!handle.base().equals(storage.base())) {
      throw new CommitRefusedException(
          "Files were prepared in "
              + handle.base()
              + ", but the sink's directory is now "
              + storage.base()
              + ". Start the job with the old directory until they are committed, then stop it with a"
              + " savepoint and change the directory");
    }
  }

  private static void checkRefusals(List<Move> moves) throws CommitRefusedException {
    List<Move> refused = with(moves, Move.Verdict.REFUSED);
    if (!refused.isEmpty()) {
      throw new CommitRefusedException(details(refused, moves.size(), "cannot be published"));
    }
  }

  /** Syncs each directory once, parents first, and then removes what is staged for it. */
  private void finish(List<Move> moves) throws IOException, InterruptedException {
    Map<String, List<Move>> byBucket = new HashMap<>();
    Set<String> parents = new TreeSet<>();
    for (Move move : moves) {
      if (move.isVisible()) {
        byBucket.computeIfAbsent(move.bucket(), bucket -> new ArrayList<>()).add(move);
        addParents(move.bucket(), parents);
      }
    }
    List<String> toSync = List.copyOf(parents);
    pool.forEach(toSync.size(), i -> sync(toSync.get(i)));
    List<String> buckets = List.copyOf(byBucket.keySet());
    pool.forEach(buckets.size(), i -> finishBucket(buckets.get(i), byBucket));
  }

  private void finishBucket(String bucket, Map<String, List<Move>> byBucket) throws IOException {
    sync(bucket);
    for (Move move : byBucket.getOrDefault(bucket, List.of())) {
      move.tidy();
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

  /**
   * Parents are synced whether or not this commit made the bucket: an earlier process may have made
   * it and died before its own sync.
   */
  private static void addParents(String directory, Set<String> all) {
    String current = directory;
    while (!current.isEmpty()) {
      current = current.substring(0, Math.max(0, current.lastIndexOf('/')));
      if (!all.add(current)) {
        return;
      }
    }
  }

  private static CommitOutcome outcome(List<Move> moves) {
    List<Move> lost = with(moves, Move.Verdict.LOST);
    if (!lost.isEmpty()) {
      return CommitOutcome.lost(details(lost, moves.size(), "lost, the others are published"));
    }
    return with(moves, Move.Verdict.ALREADY).size() == moves.size()
        ? CommitOutcome.alreadyCommitted()
        : CommitOutcome.committed();
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
