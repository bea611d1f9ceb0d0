package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.operator.plan.SinkAttachment;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.schedule.FaultKind;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/**
 * Measures schedules per second of CPU; run by hand, asserts nothing. One schedule: two subtasks,
 * two checkpoints, two crashes (one of them during recovery), three attempts per subtask.
 */
final class OperatorTierSpeed {

  private OperatorTierSpeed() {}

  private static final class RecordingNothing implements CallDecider {
    @Override
    public @Nullable FaultKind arriving(CallGate gate, String callClass) {
      return null;
    }

    @Override
    public void fired(CallGate gate, String callClass, FaultKind kind) {}
  }

  public static void main(String[] args) throws Exception {
    CallGate.bind(new CallGate(new RecordingNothing(), 0, 0));
    boolean freshSink = args.length > 0;
    OperatorTier<String> shared = tier(Shelf.fresh());
    for (int round = 0; round < 12; round++) {
      int schedules = 500;
      long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (int i = 0; i < schedules; i++) {
        run(freshSink ? tier(Shelf.fresh()) : shared);
      }
      double seconds =
          (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin) / 1e9;
      System.out.printf(
          "round %d: %.0f schedules per second of one core%n", round, schedules / seconds);
    }
  }

  private static OperatorTier<String> tier(String shelf) {
    return new OperatorTier<>(
        Types.STRING,
        SinkAttachment.of(new ShelfSink(shelf)),
        record -> "r" + record.id(),
        Duration.ofSeconds(1));
  }

  private static void run(OperatorTier<String> tier) throws Exception {
    List<Subtask<SinkState>> first = start(tier, OptionalLong.empty(), null);
    List<SinkState> one = checkpoint(first, 1);
    for (Subtask<SinkState> subtask : first) {
      subtask.notifyComplete(1);
    }
    List<SinkState> two = checkpoint(first, 2);
    first.get(0).drop();
    first.get(1).close();
    List<Subtask<SinkState>> second = start(tier, OptionalLong.of(1), one);
    second.forEach(Subtask::drop);
    List<Subtask<SinkState>> third = start(tier, OptionalLong.of(2), two);
    checkpoint(third, 3);
    for (Subtask<SinkState> subtask : third) {
      subtask.notifyComplete(3);
    }
    third.forEach(Subtask::drop);
  }

  private static List<Subtask<SinkState>> start(
      OperatorTier<String> tier, OptionalLong checkpoint, @Nullable List<SinkState> states)
      throws Exception {
    List<SinkState> dealt = states == null ? List.of() : tier.repartition(states, 2);
    List<Subtask<SinkState>> subtasks = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      subtasks.add(
          tier.start(new AttemptSpec<>(i, 2, 0, checkpoint, states == null ? null : dealt.get(i))));
    }
    return subtasks;
  }

  private static List<SinkState> checkpoint(List<Subtask<SinkState>> subtasks, long id)
      throws Exception {
    List<SinkState> states = new ArrayList<>();
    for (Subtask<SinkState> subtask : subtasks) {
      subtask.input(new TestRecord(id, "k", id));
      states.add(subtask.snapshot(id));
    }
    return states;
  }
}
