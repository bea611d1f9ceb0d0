package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.FaultKind;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An external system that is down, for a sink whose author has no other way to take it down: every
 * decorated call of a client fails, and every operation of a connector that is meant to reach the
 * system.
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

  private final CallDecider decider;
  private final boolean connector;
  private final Set<Thread> refusing = ConcurrentHashMap.newKeySet();
  private volatile boolean down;
  private volatile boolean wasDown;
  private volatile boolean noticed;

  /**
   * @param connector whether the calls of the sink are operations of a connector
   */
  Outage(CallDecider decider, boolean connector) {
    this.decider = decider;
    this.connector = connector;
  }

  void down() {
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
    if (down && (callClass.indexOf('.') >= 0 || (connector && OPERATIONS.contains(callClass)))) {
      noticed = true;
      refusing.add(Thread.currentThread());
      return FaultKind.ERROR;
    }
    return decider.arriving(gate, callClass);
  }

  @Override
  public void fired(CallGate gate, String callClass, FaultKind kind) {
    if (!refusing.remove(Thread.currentThread())) {
      decider.fired(gate, callClass, kind);
    }
  }
}
