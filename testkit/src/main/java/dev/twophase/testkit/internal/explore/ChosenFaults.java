package dev.twophase.testkit.internal.explore;

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
 * Makes each call a choice. Calls of zombies, of threads of the sink, and those during settling are
 * none: a schedule could not say when they happen.
 */
final class ChosenFaults implements CallDecider {

  private final Choices choices;
  private final Cells cells;
  private final Thread owner = Thread.currentThread();
  private final boolean recording;

  private final List<Step> steps;
  private final Map<String, Integer> counts;
  private final List<Fault> faultsOfStep;
  private @Nullable Step step;
  private boolean open;
  private long trace;
  private int unfired;

  /**
   * @param seed where the hash over the trace begins
   * @param recording whether to keep the schedule as it unfolds
   */
  ChosenFaults(Choices choices, Cells cells, long seed, boolean recording) {
    this.choices = choices;
    this.cells = cells;
    this.trace = seed;
    this.recording = recording;
    this.steps = recording ? new ArrayList<>() : List.of();
    this.counts = recording ? new HashMap<>() : Map.of();
    this.faultsOfStep = recording ? new ArrayList<>() : List.of();
  }

  /** A step begins. */
  void enter(Step next) {
    step = next;
    open = next.verb() != Verb.SETTLE && next.attempt() == Step.LATEST;
    mix(next.verb().word().hashCode());
    mix(((long) next.subtask() << 48) ^ ((long) next.attempt() << 32) ^ next.number());
    mix(next.parallelism());
    if (recording) {
      counts.clear();
      faultsOfStep.clear();
    }
  }

  private void mix(long value) {
    trace = (Long.rotateLeft(trace, 23) ^ value) * 0x9E3779B97F4A7C15L;
  }

  /** The step is over. */
  void leave() {
    if (recording && step != null) {
      steps.add(faultsOfStep.isEmpty() ? step : step.with(faultsOfStep));
    }
  }

  @Override
  public @Nullable FaultKind arriving(CallGate gate, String callClass) {
    Step now = step;
    if (!open || now == null || Thread.currentThread() != owner) {
      return null;
    }
    mix(((long) gate.subtask() << 32) ^ callClass.hashCode());
    if (recording) {
      counts.merge(gate.subtask() + ":" + callClass, 1, Integer::sum);
    }
    Cell cell = cells.call(now.verb(), callClass);
    List<FaultKind> kinds = cell.kinds();
    int chosen = choices.choose(kinds.size() + 1, false, cell, now);
    if (chosen == 0) {
      return null;
    }
    FaultKind kind = kinds.get(chosen - 1);
    mix(kind.letter());
    unfired++;
    if (recording) {
      int occurrence = counts.getOrDefault(gate.subtask() + ":" + callClass, 1);
      int subtask = now.subtask() == gate.subtask() ? Step.SAME : gate.subtask();
      faultsOfStep.add(new Fault(subtask, callClass, occurrence, kind));
    }
    return kind;
  }

  @Override
  public void fired(CallGate gate, String callClass, FaultKind kind) {
    unfired--;
  }

  /** Whether every fault that was chosen has happened. */
  boolean allFired() {
    return unfired == 0;
  }

  /** The steps so far, with the faults that were asked for in them. */
  List<Step> steps() {
    return steps;
  }

  /** A hash over all steps, calls and faults. */
  long trace() {
    return trace;
  }
}
