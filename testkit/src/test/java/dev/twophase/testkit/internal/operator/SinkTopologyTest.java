package dev.twophase.testkit.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.operator.plan.SinkAttachment;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.schedule.FaultKind;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.junit.jupiter.api.Test;

class SinkTopologyTest {

  private final String name = Shelf.fresh();
  private final Shelf shelf = Shelf.of(name);

  private static Subtask<SinkState> start(Object sink, int parallelism) throws Exception {
    return start(sink, parallelism, OptionalLong.empty(), null);
  }

  private static Subtask<SinkState> start(
      Object sink, int parallelism, OptionalLong checkpoint, SinkState state) throws Exception {
    return OperatorTier.of(sink, record -> "r" + record.id(), Duration.ofMillis(300))
        .start(new AttemptSpec<>(0, parallelism, 0, checkpoint, state));
  }

  private static TestRecord record(long id) {
    return new TestRecord(id, "k", id);
  }

  @Test
  void aSinkFindsItselfInTheJobByIdentity() throws Exception {
    start(new TopologySinks.LooksForItself(name), 2).close();
    assertThat(shelf.journal).contains("found itself: true, checkpointing: true");
  }

  @Test
  void operatorsBetweenWriterAndCommitterRun() throws Exception {
    Subtask<SinkState> subtask = start(new TopologySinks.Stamps(name, false), 2);
    subtask.input(record(1));
    subtask.snapshot(1);
    subtask.notifyComplete(1);
    subtask.close();
    assertThat(shelf.journal)
        .containsSubsequence("prepareCommit", "stamp t0", "snapshotState 1", "commit t0");
    assertThat(shelf.visible()).containsExactly("r1");
  }

  @Test
  void anEdgeThatMixesSubtasksRunsAtParallelismOneOnly() throws Exception {
    start(new TopologySinks.Stamps(name, true), 1).close();
    assertThatThrownBy(() -> start(new TopologySinks.Stamps(name, true), 2))
        .isInstanceOf(InconclusiveException.class)
        .hasMessageContaining("mixes subtasks")
        .hasMessageContaining("p=1");
  }

  @Test
  void aGlobalCommitterRunsAtParallelismOneOnly() throws Exception {
    Subtask<SinkState> subtask = start(new TopologySinks.Announces(name), 1);
    subtask.input(record(1));
    SinkState state = subtask.snapshot(1);
    subtask.drop();
    shelf.drainJournal();
    Subtask<SinkState> next =
        start(new TopologySinks.Announces(name), 1, OptionalLong.of(1), state);
    next.snapshot(2);
    next.notifyComplete(2);
    next.close();
    assertThat(shelf.journal)
        .containsSubsequence("commit t0", "announce t0", "createWriter 0/1#0 restored 1 [0/1#0@1]");
    assertThatThrownBy(() -> start(new TopologySinks.Announces(name), 2))
        .isInstanceOf(InconclusiveException.class)
        .hasMessageContaining("Global Committer");
  }

  @Test
  void whatIsCommittedMayGoToASecondSink() throws Exception {
    CallGate.bind(new CallGate(new RecordingGate(), 0, 0));
    try {
      Subtask<SinkState> subtask = start(new TopologySinks.HandsOn(name), 1);
      subtask.input(record(1));
      subtask.snapshot(1);
      subtask.notifyComplete(1);
      subtask.endOfInput();
      subtask.snapshot(2);
      subtask.notifyComplete(2);
      subtask.close();
    } finally {
      CallGate.bind(null);
    }
    assertThat(shelf.visible()).containsExactly("r1");
  }

  @Test
  void commitsOfAGlobalCommitterPassTheGate() throws Exception {
    RecordingGate gate = new RecordingGate();
    gate.faults.put("commitGlobally", FaultKind.ERROR);
    CallGate.bind(new CallGate(gate, 0, 0));
    try {
      Subtask<SinkState> subtask = start(new TopologySinks.Announces(name), 1);
      subtask.input(record(1));
      subtask.snapshot(1);
      assertThatThrownBy(() -> subtask.notifyComplete(1))
          .rootCause()
          .hasMessageContaining("'commitGlobally' failed");
      subtask.drop();
    } finally {
      CallGate.bind(null);
    }
    assertThat(gate.seen).contains("commit", "commitGlobally=E");
    assertThat(shelf.journal).doesNotContain("announce t0");
  }

  @Test
  void aSinkMayWaitOnItsMailboxForAThreadOfItsOwn() throws Exception {
    Subtask<SinkState> subtask = start(new TopologySinks.Asynchronous(name), 1);
    subtask.input(record(1));
    subtask.close();
    assertThat(shelf.journal).containsExactly("written r1");
  }

  @Test
  void aSinkThatWaitsOnItsMailboxForeverIsNotAccused() throws Exception {
    Subtask<SinkState> subtask = start(new TopologySinks.Asynchronous(name), 1);
    assertThatThrownBy(() -> subtask.input(record(0)))
        .isInstanceOf(InconclusiveException.class)
        .hasMessageContaining("mailbox");
    subtask.drop();
  }

  @Test
  void timersFireOnTheClockOfTheSchedule() throws Exception {
    Subtask<SinkState> subtask = start(new TopologySinks.Asynchronous(name), 1);
    subtask.advanceClock(99);
    assertThat(shelf.journal).isEmpty();
    subtask.advanceClock(250);
    assertThat(shelf.journal).containsExactly("timer at 100");
    subtask.close();
  }

  @Test
  void keyedStateIsRefused() {
    ShelfSink sink = new ShelfSink(name);
    SinkAttachment<String> keyed =
        stream -> stream.keyBy(text -> text).map(text -> text).returns(Types.STRING).sinkTo(sink);
    OperatorTier<String> tier =
        new OperatorTier<>(Types.STRING, keyed, TestRecord::asText, Duration.ofSeconds(1));
    assertThatThrownBy(() -> tier.start(new AttemptSpec<>(0, 1, 0, OptionalLong.empty(), null)))
        .isInstanceOf(InconclusiveException.class)
        .hasMessageContaining("keyed state");
  }
}
