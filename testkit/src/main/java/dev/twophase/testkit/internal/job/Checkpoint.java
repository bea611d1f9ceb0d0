package dev.twophase.testkit.internal.job;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a checkpoint holds: the state of each subtask, as bytes, and how far the input had got. */
public final class Checkpoint<S> {

  /** What became of it. */
  public enum Status {
    PENDING,
    STORED,
    ABORTED,
    /** Reported as failed, and yet it may be the one restored. */
    DOUBTFUL,
    /** A savepoint: nobody is told of it, and the job does not recover from it by itself. */
    SAVEPOINT
  }

  final long id;
  final @Nullable Object[] states;
  final boolean[] acknowledged;
  final @Nullable BitSet[] delivered;
  private final List<Span> spans = new ArrayList<>(2);
  Status status = Status.PENDING;

  Checkpoint(long id, int parallelism) {
    this.id = id;
    this.states = new Object[parallelism];
    this.acknowledged = new boolean[parallelism];
    this.delivered = new BitSet[parallelism];
  }

  public long id() {
    return id;
  }

  public Status status() {
    return status;
  }

  /** Number of subtasks whose state it holds. */
  public int parallelism() {
    return states.length;
  }

  void acknowledge(RunningAttempt<S> attempt, @Nullable S state) {
    int subtask = attempt.index();
    states[subtask] = state;
    acknowledged[subtask] = true;
    delivered[subtask] = (BitSet) attempt.delivered.clone();
    spans.addAll(attempt.spans);
  }

  /** What the attempts that took part had been given, barrier by barrier. */
  List<Span> spans() {
    return spans;
  }

  boolean complete() {
    for (boolean each : acknowledged) {
      if (!each) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked")
  @Nullable S state(int subtask) {
    return (S) states[subtask];
  }

  /** All records that it covers. */
  BitSet coverage() {
    BitSet all = new BitSet();
    for (BitSet each : delivered) {
      if (each != null) {
        all.or(each);
      }
    }
    return all;
  }
}
