package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.internal.job.Checkpoint.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The checkpoints of a job, as its coordinator sees them. */
public final class Checkpoints<S> {

  private final List<Checkpoint<S>> all = new ArrayList<>();
  private final Map<String, Checkpoint<S>> savepoints = new HashMap<>();
  private long lastTriggered;

  /** The pending checkpoint of this id; a new one if the id is; null if it is no longer pending. */
  @Nullable Checkpoint<S> trigger(long id, int parallelism) {
    Checkpoint<S> known = find(id);
    if (known == null && id > lastTriggered) {
      known = new Checkpoint<>(id, parallelism);
      lastTriggered = id;
      all.add(known);
    }
    return known != null && known.status == Status.PENDING && known.parallelism() == parallelism
        ? known
        : null;
  }

  /** Stores it, and gives up older pending ones; null if it is not complete. */
  @Nullable Checkpoint<S> store(long id) {
    Checkpoint<S> checkpoint = find(id);
    if (checkpoint == null || checkpoint.status != Status.PENDING || !checkpoint.complete()) {
      return null;
    }
    for (Checkpoint<S> older : all) {
      if (older.id < id && older.status == Status.PENDING) {
        older.status = Status.ABORTED;
      }
    }
    checkpoint.status = Status.STORED;
    return checkpoint;
  }

  /**
   * Keeps a complete one under a name; false if it is not complete.
   *
   * @param last whether the job stops with it: Flink then stores it, and restores it if a task
   *     fails as it is told
   */
  boolean save(long id, String name, boolean last) {
    Checkpoint<S> checkpoint = find(id);
    if (checkpoint == null || checkpoint.status != Status.PENDING || !checkpoint.complete()) {
      return false;
    }
    checkpoint.status = last ? Status.STORED : Status.SAVEPOINT;
    savepoints.put(name, checkpoint);
    return true;
  }

  /** The savepoint of this name; null if there is none. */
  public @Nullable Checkpoint<S> savepoint(String name) {
    return savepoints.get(name);
  }

  boolean doubt(long id) {
    Checkpoint<S> checkpoint = find(id);
    if (checkpoint == null || checkpoint.status != Status.PENDING || !checkpoint.complete()) {
      return false;
    }
    checkpoint.status = Status.DOUBTFUL;
    return true;
  }

  boolean abort(long id) {
    Checkpoint<S> checkpoint = find(id);
    if (checkpoint == null || checkpoint.status != Status.PENDING) {
      return false;
    }
    checkpoint.status = Status.ABORTED;
    return true;
  }

  void abortPending() {
    for (Checkpoint<S> checkpoint : all) {
      if (checkpoint.status == Status.PENDING) {
        checkpoint.status = Status.ABORTED;
      }
    }
  }

  boolean isStored(long id) {
    Checkpoint<S> checkpoint = find(id);
    return checkpoint != null && checkpoint.status == Status.STORED;
  }

  boolean isGivenUp(long id) {
    Checkpoint<S> checkpoint = find(id);
    return checkpoint != null
        && (checkpoint.status == Status.ABORTED || checkpoint.status == Status.DOUBTFUL);
  }

  /** The checkpoint of this id; null if there is none. */
  public @Nullable Checkpoint<S> find(long id) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).id == id) {
        return all.get(i);
      }
    }
    return null;
  }

  /** The latest stored one, from which a job recovers; null if there is none. */
  public @Nullable Checkpoint<S> latestStored() {
    return latest(Status.STORED);
  }

  /** The latest stored one before another; null if there is none. */
  public @Nullable Checkpoint<S> latestStoredBefore(long id) {
    Checkpoint<S> latest = null;
    for (Checkpoint<S> checkpoint : all) {
      if (checkpoint.status == Status.STORED
          && checkpoint.id < id
          && (latest == null || checkpoint.id > latest.id)) {
        latest = checkpoint;
      }
    }
    return latest;
  }

  /** A doubtful one that is newer than the latest stored one; null if there is none. */
  public @Nullable Checkpoint<S> latestDoubtful() {
    Checkpoint<S> doubtful = latest(Status.DOUBTFUL);
    Checkpoint<S> stored = latestStored();
    return doubtful != null && (stored == null || stored.id < doubtful.id) ? doubtful : null;
  }

  private @Nullable Checkpoint<S> latest(Status status) {
    Checkpoint<S> latest = null;
    for (Checkpoint<S> checkpoint : all) {
      if (checkpoint.status == status && (latest == null || checkpoint.id > latest.id)) {
        latest = checkpoint;
      }
    }
    return latest;
  }

  /** Whether it is still to be completed or given up. */
  public boolean isPending(long id) {
    Checkpoint<S> checkpoint = find(id);
    return checkpoint != null && checkpoint.status == Status.PENDING;
  }

  /** The id for the next checkpoint: one more than any before. */
  public long nextId() {
    return lastTriggered + 1;
  }

  /** The job continues from here: what was stored later is no longer in its past. */
  void continueFrom(@Nullable Checkpoint<S> restored) {
    for (Checkpoint<S> checkpoint : all) {
      if (checkpoint.status == Status.PENDING
          || (restored == null || checkpoint.id > restored.id)) {
        checkpoint.status = Status.ABORTED;
      }
    }
    if (restored != null) {
      restored.status = Status.STORED;
    }
  }

  /** Whether restoring it takes the job back before a checkpoint that was stored later. */
  boolean isRewind(@Nullable Checkpoint<S> restored) {
    Checkpoint<S> stored = latestStored();
    return stored != null && (restored == null || restored.id < stored.id);
  }
}
