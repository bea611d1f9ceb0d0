package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.Fault;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Injects the faults that a schedule names: the n-th call of a class, by a subtask, within a step.
 * Thread-safe, because a sink may make calls from threads of its own.
 */
final class AddressedFaults implements CallDecider {

  private final Map<String, Integer> counts = new HashMap<>();
  private final List<Fault> unfired = new ArrayList<>();
  private final Set<String> made = new TreeSet<>();
  private @Nullable Step step;

  synchronized void enter(Step next) {
    step = next;
    counts.clear();
    unfired.addAll(next.faults());
  }

  @Override
  public synchronized @Nullable FaultKind arriving(CallGate gate, String callClass) {
    Step now = step;
    if (now == null || now.faults().isEmpty()) {
      return null;
    }
    int occurrence = counts.merge(gate.subtask() + ":" + callClass, 1, Integer::sum);
    for (Fault fault : now.faults()) {
      if (subtaskOf(fault, now) == gate.subtask()) {
        made.add(callClass + "#" + occurrence);
      }
      if (matches(fault, now, gate, callClass) && fault.occurrence() == occurrence) {
        return fault.kind();
      }
    }
    return null;
  }

  @Override
  public synchronized void fired(CallGate gate, String callClass, FaultKind kind) {
    Step now = step;
    if (now != null) {
      unfired.removeIf(fault -> fault.kind() == kind && matches(fault, now, gate, callClass));
    }
  }

  private static boolean matches(Fault fault, Step step, CallGate gate, String callClass) {
    return subtaskOf(fault, step) == gate.subtask() && fault.callClass().equals(callClass);
  }

  private static int subtaskOf(Fault fault, Step step) {
    return fault.subtask() == Step.SAME ? step.subtask() : fault.subtask();
  }

  /** The calls made, where a fault was planned, by the subtasks that it was planned for. */
  synchronized Set<String> made() {
    return new TreeSet<>(made);
  }

  /** The faults that never happened: without them the run is another one than was asked for. */
  synchronized List<Fault> unfired() {
    return List.copyOf(unfired);
  }
}
