package dev.twophase.examples.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When faults strike, and that the source waits for them. */
class FaultPlanTest {

  private static final double FAST = 1e12;

  private final UUID before = UUID.randomUUID();
  private final UUID after = UUID.randomUUID();

  private static FaultPlan plan(FaultKind... faults) {
    return new FaultPlan(
        List.of(faults), new Stretches(100L * (faults.length + 1), faults.length + 1), FAST, true);
  }

  private static void arm(FaultPlan plan, long position) {
    plan.checkpointed(1, position);
    plan.checkpointed(2, position);
  }

  @Test
  void isArmedByTheSecondCheckpointInItsStretch() {
    FaultPlan plan = plan(FaultKind.WRITE);
    plan.checkpointed(1, 0);
    plan.checkpointed(2, 0);
    plan.checkpointed(3, 10);
    assertThat(plan.strikes(Point.WRITE, 0, "here", -1)).isEmpty();
    plan.checkpointed(4, 10);
    assertThat(plan.strikes(Point.WRITE, 0, "here", -1)).contains(FaultKind.WRITE);
  }

  @Test
  void strikesOnceAndOnlyWhereItIsPlanned() {
    FaultPlan plan = plan(FaultKind.COMMIT_NOT_DONE);
    arm(plan, 10);
    assertThat(plan.strikes(Point.WRITE, 0, "here", -1)).isEmpty();
    assertThat(plan.strikes(Point.COMMIT, 0, "here", 7)).contains(FaultKind.COMMIT_NOT_DONE);
    assertThat(plan.strikes(Point.COMMIT, 0, "here", 7)).isEmpty();
    assertThat(plan.strikes(Point.COMMIT, 1, "here", 7)).isEmpty();
  }

  @Test
  void crashInRecoveryStrikesTheAttemptThatRecovers() {
    FaultPlan plan = plan(FaultKind.RECOVERY);
    arm(plan, 10);
    assertThat(plan.strikes(Point.COMMIT, 0, "here", 7)).isPresent();
    assertThat(plan.strikes(Point.COMMITTED, 0, "the attempt that died", 7)).isEmpty();
    assertThat(plan.strikes(Point.COMMITTED, 1, "its successor", 7)).isPresent();
    assertThat(plan.generation()).isEqualTo(2);
  }

  @Test
  void recoveryIsTheCommitOfATransactionBegunAfterTheFault() {
    FaultPlan plan = plan(FaultKind.COMMIT_NOT_DONE);
    arm(plan, 10);
    plan.begun(before, 0);
    assertThat(plan.strikes(Point.COMMIT, 0, "here", 7)).isPresent();
    plan.committed(before);
    assertThat(plan.reports()).isEmpty();
    plan.begun(after, 1);
    plan.committed(after);
    assertThat(plan.reports()).hasSize(1);
    assertThat(plan.reports().get(0).checkpoint()).isEqualTo(7);
    assertThat(plan.progress().next()).isEmpty();
  }

  @Test
  void sourceDoesNotLeaveTheStretchBeforeRecovery() {
    FaultPlan plan = plan(FaultKind.WRITE);
    assertThat(plan.mayEmit(100)).isFalse();
    arm(plan, 10);
    assertThat(plan.mayEmit(100)).isFalse();
    assertThat(plan.strikes(Point.WRITE, 0, "here", -1)).isPresent();
    assertThat(plan.mayEmit(100)).isFalse();
    plan.begun(after, 1);
    plan.committed(after);
    while (!plan.mayEmit(100)) {
      Thread.onSpinWait();
    }
    assertThat(plan.progress().emitted()).isEqualTo(101);
  }

  @Test
  void theShortestStretchHasRecordsForAsLongAsAFaultMayTakeToStrike() {
    AtomicLong nanos = new AtomicLong();
    Stretches shortest = new Stretches(2L * Stretches.FEWEST_RECORDS, 2);
    FaultPlan plan = new FaultPlan(List.of(FaultKind.WRITE), shortest, FAST, true, nanos::get);
    arm(plan, 1);
    long position = 1;
    while (position < shortest.end(0)) {
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
      if (plan.mayEmit(position)) {
        position++;
      }
    }
    // The demo's patience is 60 s by default.
    assertThat(nanos.get()).isGreaterThan(TimeUnit.SECONDS.toNanos(60));
  }

  @Test
  void aFaultThatIsArmedLateFindsHalfOfItsStretch() {
    AtomicLong nanos = new AtomicLong();
    FaultPlan plan =
        new FaultPlan(List.of(FaultKind.WRITE), new Stretches(200, 2), FAST, true, nanos::get);
    long position = 0;
    for (int second = 0; second < 1_000; second++) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      while (plan.mayEmit(position)) {
        position++;
      }
    }
    assertThat(position).isEqualTo(50);
    arm(plan, position);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(plan.mayEmit(position)).isTrue();
  }

  @Test
  void everyKindIsPlannedAndThenAgain() {
    List<FaultKind> planned = FaultKind.first(10);
    assertThat(planned).doesNotContain(FaultKind.RESCALE).hasSize(10);
    assertThat(planned.subList(0, 8)).doesNotHaveDuplicates();
    assertThat(planned.get(8)).isEqualTo(planned.get(0));
  }
}
