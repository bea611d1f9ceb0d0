package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.tier.Subtask;
import java.util.BitSet;
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
  @Nullable Subtask<S> subtask;
  Phase phase = Phase.RUNNING;
  boolean ended;
  boolean endedAtLastBarrier;
  boolean finished;
  long lastBarrier;
  long restored;
  int zombieReads;

  RunningAttempt(CallGate gate, BitSet delivered) {
    this.gate = gate;
    this.delivered = delivered;
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
