package dev.twophase.testkit.internal.gate;

import dev.twophase.testkit.schedule.FaultKind;
import org.jspecify.annotations.Nullable;

/** Decides, for one run of a schedule, what happens to each decorated call. */
public interface CallDecider {

  /**
   * A call is about to be made.
   *
   * @param gate of the attempt that makes it
   * @param callClass what is called
   * @return what to do to it; null to let it pass
   */
  @Nullable FaultKind arriving(CallGate gate, String callClass);

  /**
   * Whether injected errors tell where they struck. It takes most of the time of an error, and only
   * those of a run that somebody looks at are read.
   */
  default boolean keepsStacks() {
    return true;
  }

  /** Whether it wants to know with what calls are made: telling it takes time. */
  default boolean takesDown() {
    return false;
  }

  /** Nothing can be learned from this run, whatever it shows; by any thread. */
  default void provesNothing(String why) {}

  /** A fault that was asked for has happened: the evidence without which a run proves nothing. */
  void fired(CallGate gate, String callClass, FaultKind kind);
}
