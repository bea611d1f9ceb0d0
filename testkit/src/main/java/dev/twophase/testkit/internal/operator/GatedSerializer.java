package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.internal.gate.CallGate;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Puts a gate in front of a serializer. Flink serializes one committable up to eight times per
 * snapshot; the gate sees it once per step, because a failure of any of them is one and the same.
 */
final class GatedSerializer<T> implements SimpleVersionedSerializer<T> {

  private final SimpleVersionedSerializer<T> target;
  private final String what;
  private final CallGate gate;
  private final LongSupplier step;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private long seenIn = -1;

  /**
   * @param what is serialized; part of the call class
   * @param step number of the current step
   */
  GatedSerializer(
      SimpleVersionedSerializer<T> target, String what, CallGate gate, LongSupplier step) {
    this.target = target;
    this.what = what;
    this.gate = gate;
    this.step = step;
  }

  @Override
  public int getVersion() {
    return target.getVersion();
  }

  @Override
  public byte[] serialize(T value) throws IOException {
    if (!firstInStep(value)) {
      return target.serialize(value);
    }
    return pass("serialize" + what, () -> target.serialize(value));
  }

  @Override
  public T deserialize(int version, byte[] bytes) throws IOException {
    return pass("deserialize" + what, () -> target.deserialize(version, bytes));
  }

  private boolean firstInStep(T value) {
    if (seenIn != step.getAsLong()) {
      seen.clear();
      seenIn = step.getAsLong();
    }
    return seen.add(value);
  }

  private <R> R pass(String callClass, Operation<R> operation) throws IOException {
    boolean withhold = gate.enter(callClass);
    R result = operation.run();
    if (withhold) {
      throw gate.withheld(callClass);
    }
    return result;
  }

  @FunctionalInterface
  private interface Operation<R> {
    R run() throws IOException;
  }
}
