package dev.twophase.testkit.internal.faults;

import dev.twophase.testkit.internal.gate.CallGate;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one object that pass the gate of the attempt in which it was made, or, where it belongs
 * to no attempt, of the one that makes the call.
 */
public final class GatedCalls {

  /** A call with a result. */
  @FunctionalInterface
  public interface Call<R extends @Nullable Object> {
    R make() throws IOException;
  }

  /** A call without a result. */
  @FunctionalInterface
  public interface Action {
    void run() throws IOException;
  }

  private final @Nullable CallGate owner;

  private GatedCalls(@Nullable CallGate owner) {
    this.owner = owner;
  }

  /** For an object that belongs to the attempt that makes it. */
  public static GatedCalls ofAttempt() {
    return new GatedCalls(CallGate.current());
  }

  /** For an object that several attempts share. */
  public static GatedCalls ofCaller() {
    return new GatedCalls(null);
  }

  /**
   * Makes a call, unless a fault prevents it; outside any attempt it is just made.
   *
   * @param callClass as in a fault's address
   */
  public <R extends @Nullable Object> R call(String callClass, Call<R> call) throws IOException {
    CallGate gate = owner != null ? owner : CallGate.current();
    if (gate == null) {
      return call.make();
    }
    boolean withhold = gate.enter(callClass);
    R result = call.make();
    if (withhold) {
      throw gate.withheld(callClass);
    }
    return result;
  }

  /** The same for a call without a result. */
  public void run(String callClass, Action action) throws IOException {
    call(
        callClass,
        () -> {
          action.run();
          return callClass;
        });
  }
}
