package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.FaultKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Notes the class of every call, and injects faults by class. */
final class RecordingGate implements CallDecider {

  final List<String> seen = new ArrayList<>();
  final Map<String, FaultKind> faults = new HashMap<>();

  @Override
  public @Nullable FaultKind arriving(CallGate gate, String callClass) {
    seen.add(callClass);
    return faults.get(callClass);
  }

  @Override
  public void fired(CallGate gate, String callClass, FaultKind kind) {
    seen.add(callClass + "=" + kind.letter());
  }
}
