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
  private final boolean freezes;
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
   * @param freezes whether attempts may freeze in a call and live on
   * @param recording whether to keep the schedule as it unfolds
   */
  ChosenFaults(Choices choices, Cells cells, long seed, boolean freezes, boolean recording) {
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
  boolean enter(Step next) {
    step = next;
    open = next.verb() != Verb.SETTLE && next.attempt() == Step.LATEST;
    mix(next.verb().word().hashCode());
    mix(((long) next.subtask() << 48) ^ ((long) next.attempt() << 32) ^ next.number());
    mix(next.parallelism());
    mix(next.word().hashCode());
    if (recording) {
      counts.clear();
      faultsOfStep.clear();
    }
    return choices.stepBegins();
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
    if (!open || now == null || CallGate.current() != gate) {
      return null;
    }
    mix(((long) gate.subtask() << 32) ^ callClass.hashCode());
    if (recording) {
      counts.merge(gate.subtask() + ":" + callClass, 1, Integer::sum);
    }
    Cell cell = cells.call(now.verb(), callClass);
    List<FaultKind> kinds = cell.kinds();
    int options = kinds.size() + (offersFreeze(gate, kinds) ? 1 : 0);
    int chosen = choices.choose(options, false, cell, now);
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

  /**
   * The last kind is left out where it shows nothing new: at the first start, at which nothing can
   * be restored; and in all subtasks but the first, which are like it.
   */
  private boolean offersFreeze(CallGate gate, List<FaultKind> kinds) {
    return kinds.get(kinds.size() - 1) != FaultKind.DELAYED
        || (freezes
            && gate.attempt() + (step != null && step.verb() == Verb.NTF ? 1 : 0) > 0
            && gate.subtask() == 0);
  }

  /** Something else that was chosen has shown nothing. */
  void nothingHappened() {
    unfired++;
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
