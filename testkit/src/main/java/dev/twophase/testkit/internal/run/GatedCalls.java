package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.operator.SinkCalls;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Leads the calls that the operator tier decorates through the gate of their attempt. */
final class GatedCalls implements SinkCalls {

  private final CallGate gate;

  private GatedCalls(CallGate gate) {
    this.gate = gate;
  }

  /** Of the attempt that is being started by this thread. */
  static SinkCalls of(AttemptSpec<?> attempt) {
    return new GatedCalls(
        Objects.requireNonNull(CallGate.current(), "no gate is bound for " + attempt));
  }

  @Override
  public @Nullable Object pass(String callClass, Call call) throws Throwable {
    boolean withhold = gate.enter(callClass);
    Object result = call.proceed();
    if (withhold) {
      throw gate.withheld(callClass);
    }
    return result;
  }
}
