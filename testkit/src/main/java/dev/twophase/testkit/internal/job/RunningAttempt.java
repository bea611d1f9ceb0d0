package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.watch.FreezableTask;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One attempt of one subtask, and what the job knows of it. */
public final class RunningAttempt<S> {

  /** Where an attempt stands. */
  public enum Phase {
    RUNNING,
    /** Lost by the job, and still running. */
    ZOMBIE,
    /** Closed in order, after its final checkpoint or because the job was cancelled. */
    CLOSED,
    DEAD
  }

  final CallGate gate;
  final BitSet delivered;
  final List<Span> spans = new ArrayList<>(2);
  private BitSet sinceBarrier = new BitSet();
  @Nullable Subtask<S> subtask;
  Phase phase = Phase.RUNNING;
  boolean ended;
  boolean endedAtLastBarrier;
  boolean finished;
  long lastBarrier;
  long restored;
  int zombieReads;

  /** Which checkpoint came next when the job lost it. */
  long lostBefore;

  @Nullable Frozen frozen;

  /** What an attempt was doing when it froze, and what the job does when that is over. */
  record Frozen(FreezableTask task, Runnable afterwards) {}

  RunningAttempt(CallGate gate, BitSet delivered) {
    this.gate = gate;
    this.delivered = delivered;
  }

  /** A record is handed over. */
  void given(int id) {
    delivered.set(id);
    sinceBarrier.set(id);
  }

  /** A barrier passes. */
  void barrierPasses(long checkpoint) {
    lastBarrier = checkpoint;
    endedAtLastBarrier = ended;
    if (!sinceBarrier.isEmpty()) {
      spans.add(new Span(attempt(), checkpoint, sinceBarrier));
      sinceBarrier = new BitSet();
    }
  }

  public int index() {
    return gate.subtask();
  }

  public int attempt() {
    return gate.attempt();
  }

  public Phase phase() {
    return phase;
  }

  /** The checkpoint from which it started; 0 if it started without state. */
  public long restored() {
    return restored;
  }

  /** The records that have reached it or its predecessors; do not change it. */
  public BitSet delivered() {
    return delivered;
  }

  /** Whether the barrier of a checkpoint has passed this attempt. */
  public boolean tookPartIn(long checkpoint) {
    return restored < checkpoint && checkpoint <= lastBarrier;
  }

  /** Whether it is lost in the middle of a call. */
  public boolean isFrozen() {
    return frozen != null;
  }

  /** The final checkpoint has been notified: this subtask has nothing left to do. */
  public boolean finished() {
    return finished;
  }

  public boolean inputEnded() {
    return ended;
  }

  @Override
  public String toString() {
    return "s" + index() + "@" + attempt();
  }
}
