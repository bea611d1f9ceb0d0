package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.Fault;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes each call a choice. Calls of zombies and those during settling are none: a schedule could
 * not say when they happen.
 */
public final class ChosenFaults implements CallDecider {

  private final Choices choices;
  private final Cells cells;
  private final boolean freezes;
  private final boolean recording;

  private final List<Step> steps;
  private final Map<String, Integer> counts;
  private final List<Fault> faultsOfStep;

  /** Written last when a step begins: threads of the sink's own then see the rest, too. */
  private volatile @Nullable Step step;

  private boolean open;
  private long trace;
  private int unfired;

  /**
   * @param seed where the hash over the trace begins
   * @param freezes whether attempts may freeze in a call and live on
   * @param recording whether to keep the schedule as it unfolds
   */
  public ChosenFaults(Choices choices, Cells cells, long seed, boolean freezes, boolean recording) {
    this.choices = choices;
    this.cells = cells;
    this.trace = seed;
    this.freezes = freezes;
    this.recording = recording;
    this.steps = recording ? new ArrayList<>() : List.of();
    this.counts = recording ? new HashMap<>() : Map.of();
    this.faultsOfStep = recording ? new ArrayList<>() : List.of();
  }

  /** A step begins; returns whether a call freezes in it. */
  public boolean enter(Step next) {
    open = next.verb() != Verb.SETTLE && next.attempt() == Step.LATEST;
    boolean freezesInIt = choices.stepBegins();
    mix(next.verb().word().hashCode());
    mix(((long) next.subtask() << 48) ^ ((long) next.attempt() << 32) ^ next.number());
    mix(next.parallelism());
    mix(next.word().hashCode());
    if (recording) {
      forget();
    }
    step = next;
    return freezesInIt;
  }

  private synchronized void forget() {
    counts.clear();
    faultsOfStep.clear();
  }

  private void mix(long value) {
    trace = (Long.rotateLeft(trace, 23) ^ value) * 0x9E3779B97F4A7C15L;
  }

  /** The step is over. */
  public void leave() {
    if (recording && step != null) {
      keep(step);
    }
  }

  private synchronized void keep(Step executed) {
    steps.add(faultsOfStep.isEmpty() ? executed : executed.with(faultsOfStep));
  }

  @Override
  public @Nullable FaultKind arriving(CallGate gate, String callClass) {
    Step now = step;
    if (!open || now == null) {
      return null;
    }
    if (!gate.isBoundHere()) {
      return CallGate.current() == null ? ofOwnThread(gate, callClass, now) : null;
    }
    mix(((long) gate.subtask() << 32) ^ callClass.hashCode());
    int occurrence = recording ? count(gate, callClass) : 0;
    Cell cell = cells.call(now.verb(), callClass);
    int options = cell.kinds().size() + (offersLast(gate, cell, now) ? 1 : 0);
    int chosen = choices.choose(options, false, cell, now);
    if (chosen == 0) {
      return null;
    }
    FaultKind kind = cell.kinds().get(chosen - 1);
    mix(kind.letter());
    unfired++;
    if (recording) {
      note(gate, callClass, occurrence, kind, now);
    }
    return kind;
  }

  private @Nullable FaultKind ofOwnThread(CallGate gate, String callClass, Step now) {
    int occurrence = recording ? count(gate, callClass) : 0;
    FaultKind kind = choices.ownCalls().arriving(gate, callClass, now, choices.stepNumber());
    if (kind != null && recording) {
      note(gate, callClass, occurrence, kind, now);
    }
    return kind;
  }

  private synchronized int count(CallGate gate, String callClass) {
    return counts.merge(gate.subtask() + ":" + callClass, 1, Integer::sum);
  }

  private synchronized void note(
      CallGate gate, String callClass, int occurrence, FaultKind kind, Step now) {
    int subtask = now.subtask() == gate.subtask() ? Step.SAME : gate.subtask();
    faultsOfStep.add(new Fault(subtask, callClass, occurrence, kind));
  }

  /**
   * The last kind is left out where it shows nothing new: at the first start, at which nothing can
   * be restored; and in all subtasks but the first, which are like it.
   */
  private boolean offersLast(CallGate gate, Cell cell, Step now) {
    return !cell.freezesLast()
        || (freezes
            && gate.attempt() + (now.verb() == Verb.NTF ? 1 : 0) > 0
            && gate.subtask() == 0);
  }

  /** Something else that was chosen has shown nothing. */
  public void nothingHappened() {
    unfired++;
  }

  @Override
  public boolean keepsStacks() {
    return recording;
  }

  @Override
  public void fired(CallGate gate, String callClass, FaultKind kind) {
    if (CallGate.current() == null) {
      choices.ownCalls().fired();
    } else {
      unfired--;
    }
  }

  /** Whether every fault that was chosen has happened. */
  public boolean allFired() {
    return unfired == 0 && choices.ownCalls().allFired();
  }

  /** The steps so far, with the faults that were asked for in them. */
  public List<Step> steps() {
    return steps;
  }

  /** A hash over all steps, calls and faults. */
  public long trace() {
    return trace + choices.ownCalls().trace();
  }
}
