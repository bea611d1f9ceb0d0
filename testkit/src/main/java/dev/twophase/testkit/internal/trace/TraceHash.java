package dev.twophase.testkit.internal.trace;

import java.util.Objects;

/**
 * A hash over a run. Calls in threads of the sink's own count in whatever order they come and in
 * whatever step, as what their attempt's calls add up to. Texts of errors do not count: they may
 * name the run's namespace.
 */
final class TraceHash {

  private long inOrder;
  private long inAnyOrder;
  private boolean ownThreads;

  void call(Event call, boolean ownThread) {
    int what = Objects.hash(call.subtask(), call.attempt(), call.text(), call.fault());
    if (ownThread) {
      ownThreads = true;
      inAnyOrder += spread(what);
    } else {
      mix(31L * call.step() + what);
    }
  }

  void event(Event event) {
    mix(31L * event.step() + event.kind().name().hashCode());
    mix(Objects.hash(event.subtask(), event.attempt()));
    boolean ofError = event.kind() == Event.Kind.DIED || event.kind() == Event.Kind.ANOMALY;
    mix(ofError ? 0 : event.text().hashCode());
    // A reader may see what threads have written at once in any order.
    event.records().stream().sorted().forEach(this::mix);
  }

  private void mix(long value) {
    inOrder = spread(Long.rotateLeft(inOrder, 23) ^ value);
  }

  private static long spread(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }

  boolean sawOwnThreads() {
    return ownThreads;
  }

  long value() {
    return inOrder + inAnyOrder;
  }
}
