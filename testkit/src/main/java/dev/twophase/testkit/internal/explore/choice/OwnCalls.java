package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a sink makes in threads of its own during one run. Their order among all calls is
 * not the same each time, so that they are told apart by their number within their attempt.
 * Thread-safe.
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

  private final List<Strike> planned;
  private final Set<Call> asked = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();
  private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
  private final AtomicLong trace = new AtomicLong();
  private final AtomicInteger happened = new AtomicInteger();

  /**
   * @param planned what is to go wrong, in the order of their steps
   */
  OwnCalls(List<Strike> planned) {
    this.planned = planned;
  }

  @Nullable FaultKind arriving(CallGate gate, String callClass, Step step, int stepNumber) {
    String counted = gate.attempt() + "." + gate.subtask() + "." + callClass;
    Call call =
        new Call(gate.attempt(), gate.subtask(), callClass, counts.merge(counted, 1, Integer::sum));
    trace.addAndGet(call.hashCode() * 0x9E3779B97F4A7C15L);
    for (Strike strike : planned) {
      if (strike.call().equals(call)) {
        asked.add(call);
        return strike.kind();
      }
    }
    seen.add(new Seen(call, step, stepNumber));
    return null;
  }

  boolean isUsed() {
    return !planned.isEmpty() || !counts.isEmpty();
  }

  void fired() {
    happened.incrementAndGet();
  }

  /** Whether each call that is to go wrong was made. */
  boolean followed() {
    return asked.size() == planned.size();
  }

  /** Whether all went wrong that were to. */
  boolean allFired() {
    return happened.get() == planned.size();
  }

  /** The same in whatever order the calls came. */
  long trace() {
    long sum = trace.get();
    for (Strike strike : planned) {
      sum += (strike.call().hashCode() * 31L + strike.kind().letter()) * 0xC2B2AE3D27D4EB4FL;
    }
    return sum;
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
