package dev.twophase.testkit.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.AttemptKilledError;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.operator.plan.SinkAttachment;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.schedule.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperatorTierTest {

  private final String name = Shelf.fresh();
  private final Shelf shelf = Shelf.of(name);
  private final RecordingGate gate = new RecordingGate();
  private final OperatorTier<String> tier = tier(SinkAttachment.of(new ShelfSink(name)));
  private final OperatorTier<String> functionTier =
      tier(SinkAttachment.ofFunction(new ShelfFunction(name)));
  private int attempts;

  @AfterEach
  void unbindGate() {
    CallGate.bind(null);
  }

  private OperatorTier<String> tier(SinkAttachment<String> attachment) {
    return new OperatorTier<>(
        Types.STRING, attachment, record -> "r" + record.id(), Duration.ofSeconds(1));
  }

  private static TestRecord record(long id) {
    return new TestRecord(id, "k", id);
  }

  private Subtask<SinkState> start(OperatorTier<String> tier, int subtask, int parallelism)
      throws Exception {
    return start(tier, subtask, parallelism, OptionalLong.empty(), null);
  }

  private Subtask<SinkState> start(
      OperatorTier<String> tier,
      int subtask,
      int parallelism,
      OptionalLong checkpoint,
      @Nullable SinkState state)
      throws Exception {
    CallGate.bind(new CallGate(gate, subtask, attempts));
    return tier.start(new AttemptSpec<>(subtask, parallelism, attempts++, checkpoint, state));
  }

  @Test
  void callsOfASinkComeInTheOrderOfFlinksChain() throws Exception {
    Subtask<SinkState> subtask = start(tier, 0, 1);
    subtask.input(record(1));
    subtask.snapshot(1);
    subtask.notifyComplete(1);
    subtask.endOfInput();
    subtask.snapshot(2);
    subtask.notifyComplete(2);
    subtask.close();
    assertThat(shelf.journal)
        .containsExactly(
            "createCommitter",
            "createWriter 0/1#0",
            "write r1",
            "flush false",
            "prepareCommit",
            "snapshotState 1",
            "commit t0",
            "flush true",
            "prepareCommit",
            "snapshotState 2",
            "closeCommitter",
            "closeWriter");
    assertThat(shelf.visible()).containsExactly("r1");
  }

  @Test
  void aRestoredSinkKnowsItsCheckpointAttemptAndState() throws Exception {
    Subtask<SinkState> first = start(tier, 0, 1);
    first.input(record(1));
    SinkState state = first.snapshot(7);
    first.drop();
    List<String> before = shelf.drainJournal();
    Subtask<SinkState> second = start(tier, 0, 1, OptionalLong.of(7), state);
    second.drop();
    assertThat(before).contains("snapshotState 7").doesNotContain("closeWriter", "closeCommitter");
    assertThat(shelf.journal)
        .containsExactly("createCommitter", "commit t0", "createWriter 0/1#1 restored 7 [0/1#0@7]");
    assertThat(shelf.visible()).containsExactly("r1");
  }

  @Test
  void rescalingLosesAndDoublesNothing() throws Exception {
    List<SinkState> states = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Subtask<SinkState> subtask = start(tier, i, 2);
      subtask.input(record(i));
      states.add(subtask.snapshot(1));
      subtask.drop();
    }
    List<SinkState> wider = new ArrayList<>();
    List<SinkState> dealt = tier.repartition(states, 4);
    shelf.drainJournal();
    for (int i = 0; i < 4; i++) {
      Subtask<SinkState> subtask = start(tier, i, 4, OptionalLong.of(1), dealt.get(i));
      subtask.input(record(10 + i));
      wider.add(subtask.snapshot(2));
      subtask.close();
    }
    assertThat(shelf.journal.stream().filter(call -> call.contains("restored")))
        .hasSize(4)
        .filteredOn(call -> call.contains("@1"))
        .hasSize(2);
    Subtask<SinkState> last =
        start(tier, 0, 1, OptionalLong.of(2), tier.repartition(wider, 1).get(0));
    last.close();
    assertThat(shelf.visible()).containsExactly("r0", "r1", "r10", "r11", "r12", "r13");
  }

  @Test
  void C4_aLateNotificationCoversWhatLostOnesDidNot() throws Exception {
    Subtask<SinkState> subtask = start(tier, 0, 1);
    subtask.input(record(1));
    subtask.snapshot(1);
    subtask.input(record(2));
    subtask.snapshot(2);
    subtask.notifyAborted(1);
    assertThat(shelf.visible()).isEmpty();
    subtask.notifyComplete(2);
    assertThat(shelf.visible()).containsExactly("r1", "r2");
    subtask.notifyComplete(1);
    subtask.close();
    assertThat(shelf.visible()).containsExactly("r1", "r2");
  }

  @Test
  void closeReachesTheSinkAndDropDoesNot() throws Exception {
    start(tier, 0, 1).drop();
    assertThat(shelf.drainJournal()).doesNotContain("closeWriter", "closeCommitter");
    start(tier, 0, 1).close();
    assertThat(shelf.journal).contains("closeWriter", "closeCommitter");
  }

  @Test
  void closeReachesAllOperatorsAndThrowsTheFirstError() throws Exception {
    gate.faults.put("closeCommitter", FaultKind.ERROR);
    Subtask<SinkState> subtask = start(tier, 0, 1);
    assertThatThrownBy(subtask::close).hasMessageContaining("'closeCommitter' failed");
    assertThat(shelf.journal).contains("closeWriter");
  }

  @Test
  void aFaultBeforeACallKeepsItFromTheSinkAndAFaultAfterDoesNot() throws Exception {
    gate.faults.put("commit", FaultKind.ERROR);
    Subtask<SinkState> first = start(tier, 0, 1);
    first.input(record(1));
    SinkState state = first.snapshot(1);
    assertThatThrownBy(() -> first.notifyComplete(1)).hasMessageContaining("'commit' failed");
    assertThat(shelf.visible()).isEmpty();
    first.drop();
    gate.faults.put("commit", FaultKind.APPLIED);
    assertThatThrownBy(() -> start(tier, 0, 1, OptionalLong.of(1), state))
        .hasMessageContaining("reply to 'commit' is lost");
    assertThat(shelf.visible()).containsExactly("r1");
  }

  @Test
  void anAttemptKilledWhileItStartsIsNotClosed() throws Exception {
    gate.faults.put("createWriter", FaultKind.KILL);
    assertThatThrownBy(() -> start(tier, 0, 1)).isInstanceOf(AttemptKilledError.class);
    assertThat(shelf.journal).containsExactly("createCommitter");
    gate.faults.put("createWriter", FaultKind.ERROR);
    assertThatThrownBy(() -> start(tier, 0, 1)).hasMessageContaining("'createWriter' failed");
    assertThat(shelf.journal)
        .containsExactly("createCommitter", "createCommitter", "closeCommitter");
  }

  @Test
  void everyProtocolCallOfASinkPassesTheGate() throws Exception {
    Subtask<SinkState> first = start(tier, 0, 1);
    first.input(record(1));
    SinkState state = first.snapshot(1);
    first.notifyComplete(1);
    first.close();
    assertThat(gate.seen)
        .containsExactly(
            "createCommitter",
            "createWriter",
            "write",
            "flush",
            "prepareCommit",
            "serializeCommittable",
            "snapshotState",
            "serializeWriterState",
            "commit",
            "closeCommitter",
            "closeWriter");
    gate.seen.clear();
    start(tier, 0, 1, OptionalLong.of(1), state).drop();
    assertThat(gate.seen).contains("restoreWriter", "deserializeWriterState", "commit");
  }

  @Test
  void callsOfATwoPhaseFunctionComeInOrderAndPassTheGate() throws Exception {
    Subtask<SinkState> first = start(functionTier, 0, 1);
    first.input(record(1));
    SinkState state = first.snapshot(1);
    first.notifyComplete(1);
    first.input(record(2));
    first.drop();
    assertThat(shelf.drainJournal())
        .containsExactly(
            "begin t0", "invoke r1", "preCommit t0", "begin t1", "commit t0", "invoke r2");
    assertThat(gate.seen)
        .containsExactly(
            "initializeState",
            "open",
            "invoke",
            "snapshotState",
            "notifyCheckpointComplete",
            "invoke");
    Subtask<SinkState> second = start(functionTier, 0, 1, OptionalLong.of(1), state);
    assertThat(shelf.drainJournal()).containsExactly("commit t0", "abort t1", "begin t2");
    second.endOfInput();
    second.snapshot(2);
    second.notifyComplete(2);
    second.close();
    assertThat(shelf.visible()).containsExactly("r1");
  }

  @Test
  void anAttemptStartsOnTheClockOfTheRun() throws Exception {
    start(tier, 0, 1).advanceClock(500);
    start(tier, 0, 1).drop();
    assertThat(shelf.clocks).containsExactly(0L, 500L);
  }
}
