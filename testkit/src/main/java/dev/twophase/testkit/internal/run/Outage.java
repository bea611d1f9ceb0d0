package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.FaultKind;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a run sees of all calls before the schedule's faults do: those in threads of the sink's own;
 * and those to an external system that is down, for a sink whose author has no other way to take it
 * down. Every decorated call of a client then fails, and every operation of a connector that is
 * meant to reach the system.
 */
final class Outage implements CallDecider {

  private static final Set<String> OPERATIONS =
      Set.of(
          "open",
          "begin",
          "write",
          "preCommit",
          "commit",
          "commitAll",
          "abort",
          "unfinished",
          "abortLingering",
          "committedSince");

  private static final long QUIET_NANOS = 300_000;
  private static final long MOST_NANOS_AWAITED = 50_000_000;

  private final CallDecider decider;
  private final boolean connector;

  /** Made when the system goes down: most runs have no outage. */
  private volatile Set<Thread> refusing = Set.of();

  private volatile boolean ownThreads;
  private volatile long lastOfOwnThread;
  private volatile boolean down;
  private volatile boolean wasDown;
  private volatile boolean noticed;
  private volatile @Nullable String provesNothing;

  /**
   * @param connector whether the calls of the sink are operations of a connector
   */
  Outage(CallDecider decider, boolean connector) {
    this.decider = decider;
    this.connector = connector;
  }

  /**
   * Waits a moment for calls that the sink makes in threads of its own, until none has come for
   * some time: so that they fall into the step that caused them each time.
   */
  void awaitOwnThreads() {
    if (!ownThreads) {
      return;
    }
    long deadline = System.nanoTime() + MOST_NANOS_AWAITED;
    while (System.nanoTime() - lastOfOwnThread < QUIET_NANOS && System.nanoTime() < deadline) {
      LockSupport.parkNanos(QUIET_NANOS / 10);
    }
  }

  void down() {
    refusing = wasDown ? refusing : ConcurrentHashMap.newKeySet();
    down = true;
    wasDown = true;
  }

  void up() {
    down = false;
  }

  /** Whether it was down and nobody has noticed: that is no fault. */
  boolean unnoticed() {
    return wasDown && !noticed;
  }

  /** Forgets an outage of which nobody knows; returns whether there was one. */
  boolean forgiveUnnoticed() {
    boolean forgiven = unnoticed();
    wasDown &= !forgiven;
    return forgiven;
  }

  @Override
  public @Nullable FaultKind arriving(CallGate gate, String callClass) {
    if (!gate.isBoundHere() && CallGate.current() == null) {
      lastOfOwnThread = System.nanoTime();
      ownThreads = true;
    }
    if (down && (callClass.indexOf('.') >= 0 || (connector && OPERATIONS.contains(callClass)))) {
      noticed = true;
      refusing.add(Thread.currentThread());
      return FaultKind.ERROR;
    }
    return decider.arriving(gate, callClass);
  }

  @Override
  public void provesNothing(String why) {
    provesNothing = why;
  }

  /** Why nothing can be learned from this run; null if something can. */
  @Nullable String whyNothing() {
    return provesNothing;
  }

  @Override
  public boolean keepsStacks() {
    return decider.keepsStacks();
  }

  @Override
  public boolean takesDown() {
    return decider.takesDown();
  }

  @Override
  public void fired(CallGate gate, String callClass, FaultKind kind) {
    // A run without an outage has refused nothing, and does not look.
    if (!noticed || !refusing.remove(Thread.currentThread())) {
      decider.fired(gate, callClass, kind);
    }
  }
}
