package dev.twophase.testkit.internal.job;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** What a checkpoint holds: the state of each subtask, as bytes, and how far the input had got. */
public final class Checkpoint<S> {

  /** What became of it. */
  public enum Status {
    PENDING,
    STORED,
    ABORTED,
    /** Reported as failed, and yet it may be the one restored. */
    DOUBTFUL
  }

  final long id;
  final @Nullable Object[] states;
  final boolean[] acknowledged;
  final @Nullable BitSet[] delivered;
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

  void acknowledge(int subtask, @Nullable S state, BitSet upTo) {
    states[subtask] = state;
    acknowledged[subtask] = true;
    delivered[subtask] = (BitSet) upTo.clone();
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
