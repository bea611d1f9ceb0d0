package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a sink makes in threads of its own during one run. Their order among all calls is
 * not the same each time, so that they are told apart by their number within their attempt, and
 * strike once in a run at most. Thread-safe.
 */
final class OwnCalls {

  /**
   * One of these calls.
   *
   * @param occurrence among the calls of this class by the attempt's own threads, from 1
   */
  record Call(int attempt, int subtask, String callClass, int occurrence) {}

  /** What goes wrong with one of them. */
  record Strike(Call call, FaultKind kind, int stepNumber) {}

  private record Seen(Call call, Step step, int stepNumber) {}

  private final @Nullable Strike planned;
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();
  private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
  private final AtomicLong trace = new AtomicLong();
  private volatile boolean asked;
  private volatile boolean happened;

  OwnCalls(@Nullable Strike planned) {
    this.planned = planned;
  }

  @Nullable FaultKind arriving(CallGate gate, String callClass, Step step, int stepNumber) {
    String counted = gate.attempt() + "." + gate.subtask() + "." + callClass;
    Call call =
        new Call(gate.attempt(), gate.subtask(), callClass, counts.merge(counted, 1, Integer::sum));
    trace.addAndGet(call.hashCode() * 0x9E3779B97F4A7C15L);
    if (planned == null) {
      seen.add(new Seen(call, step, stepNumber));
      return null;
    }
    if (!planned.call().equals(call)) {
      return null;
    }
    asked = true;
    return planned.kind();
  }

  boolean isUsed() {
    return planned != null || !counts.isEmpty();
  }

  void fired() {
    happened = true;
  }

  /** Whether the call that is to go wrong was made. */
  boolean followed() {
    return planned == null || asked;
  }

  /** Whether it went wrong, if one was to. */
  boolean allFired() {
    return planned == null || happened;
  }

  /** The same in whatever order the calls came. */
  long trace() {
    return trace.get() + (planned == null ? 0 : planned.kind().letter());
  }

  /**
   * The points at which a longer plan can strike.
   *
   * @param from the number of the step from which on
   */
  List<Choices.Point> points(Cells cells, int from) {
    List<Choices.Point> points = new ArrayList<>();
    for (Seen each : seen) {
      if (each.stepNumber() >= from) {
        Cell cell = cells.call(each.step().verb(), each.call().callClass());
        points.add(
            new Choices.Point(
                Choices.OWN_THREAD,
                1 + ownKinds(cell),
                false,
                cell,
                each.step(),
                each.stepNumber(),
                each.call()));
      }
    }
    return points;
  }

  /** All but the last if that means to freeze: the job's thread is not there to be lost. */
  private static int ownKinds(Cell cell) {
    return cell.kinds().size() - (cell.freezesLast() ? 1 : 0);
  }
}
