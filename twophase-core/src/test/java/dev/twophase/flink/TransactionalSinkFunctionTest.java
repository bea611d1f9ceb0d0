package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.PendingLimitException;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.policy.SinkOptions;
import dev.twophase.store.FaultyConnector;
import dev.twophase.store.MemoryConnector;
import dev.twophase.store.MemoryStore;
import dev.twophase.store.SelfContainedConnector;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.streaming.api.operators.StreamSink;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** One or two subtasks of the function adapter, step by step. */
class TransactionalSinkFunctionTest {

  private String storeName;
  private MemoryStore store;

  @BeforeEach
  void freshStore(TestInfo test) {
    storeName = "function-" + test.getDisplayName();
    store = MemoryStore.named(storeName);
  }

  private OneInputStreamOperatorTestHarness<String, Object> harness(
      MemoryConnector connector, SinkOptions options, int parallelism, int subtask)
      throws Exception {
    return FunctionHarness.of(
        new StreamSink<>(TransactionalSinkFunction.of("orders", connector, options)),
        parallelism,
        subtask);
  }

  private OneInputStreamOperatorTestHarness<String, Object> harness() throws Exception {
    return harness(new MemoryConnector(storeName), SinkOptions.defaults(), 1, 0);
  }

  private static void write(
      OneInputStreamOperatorTestHarness<String, Object> harness, String... all) throws Exception {
    for (String record : all) {
      harness.processElement(record, 0);
    }
  }

  private static void restore(
      OneInputStreamOperatorTestHarness<String, Object> harness,
      long checkpoint,
      OperatorSubtaskState state)
      throws Exception {
    harness.setRestoredCheckpointId(checkpoint);
    harness.initializeState(state);
    harness.open();
  }

  @Test
  void C1_nothingIsVisibleBeforeTheCheckpointIsComplete() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness = harness()) {
      harness.open();
      write(harness, "a", "b");
      harness.snapshot(1, 1);
      assertThat(store.visible()).isEmpty();
      harness.notifyOfCompletedCheckpoint(1);
      assertThat(store.visible()).containsExactly("a", "b");
    }
  }

  @Test
  void C3_firstFailureStopsTheRestAndEverythingAfterIt() throws Exception {
    FaultyConnector connector = new FaultyConnector(storeName, List.of("before commit"));
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        harness(connector, SinkOptions.defaults(), 1, 0)) {
      harness.open();
      write(harness, "a");
      harness.snapshot(1, 1);
      write(harness, "b");
      harness.snapshot(2, 2);
      assertThatThrownBy(() -> harness.notifyOfCompletedCheckpoint(2))
          .isInstanceOf(CommitRefusedException.class);
      assertThat(store.visible()).isEmpty();
      assertThatThrownBy(() -> harness.notifyOfCompletedCheckpoint(2))
          .hasMessageContaining("had a failed commit");
      assertThatThrownBy(() -> harness.snapshot(3, 3))
          .hasStackTraceContaining("nothing can be prepared or committed until the task restarts");
      assertThat(store.visible()).isEmpty();
    }
  }

  @Test
  void C4_lateDoubledAndSubsumedNotifications() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness = harness()) {
      harness.open();
      for (int checkpoint = 1; checkpoint <= 3; checkpoint++) {
        write(harness, "r" + checkpoint);
        harness.snapshot(checkpoint, checkpoint);
      }
      harness.notifyOfCompletedCheckpoint(2);
      assertThat(store.visible()).containsExactly("r1", "r2");
      harness.notifyOfCompletedCheckpoint(1);
      harness.notifyOfCompletedCheckpoint(2);
      harness.notifyOfCompletedCheckpoint(3);
      assertThat(store.visible()).containsExactly("r1", "r2", "r3");
    }
  }

  @Test
  void C5_abortedCheckpointDiscardsNothing() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness = harness()) {
      harness.open();
      write(harness, "a");
      harness.snapshot(1, 1);
      harness.getOperator().notifyCheckpointAborted(1);
      write(harness, "b");
      harness.snapshot(2, 2);
      harness.notifyOfCompletedCheckpoint(2);
      assertThat(store.visible()).containsExactly("a", "b");
    }
  }

  @Test
  void W5_idleIntervalCostsNothing() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness = harness()) {
      harness.open();
      for (int checkpoint = 1; checkpoint <= 3; checkpoint++) {
        harness.snapshot(checkpoint, checkpoint);
        harness.notifyOfCompletedCheckpoint(checkpoint);
      }
    }
    assertThat(store.log()).isEmpty();
  }

  @Test
  void R1_R2_restoredIsCommittedFirstAndLingeringIsAbortedLast() throws Exception {
    OperatorSubtaskState state;
    OneInputStreamOperatorTestHarness<String, Object> crashed = harness();
    crashed.open();
    write(crashed, "a");
    state = crashed.snapshot(1, 1);
    write(crashed, "lost with the crash, and replayed");

    try (OneInputStreamOperatorTestHarness<String, Object> harness = harness()) {
      restore(harness, 1, state);
      assertThat(store.visible()).containsExactly("a");
      assertThat(store.unfinished()).hasSize(1);
      write(harness, "b");
      harness.snapshot(2, 2);
      assertThat(store.unfinished()).hasSize(2);
      harness.notifyOfCompletedCheckpoint(2);
      assertThat(store.visible()).containsExactly("a", "b");
      assertThat(store.unfinished()).isEmpty();
    }
    assertThat(store.log())
        .containsExactly(
            "begin 0@0", "begin 0@1", "commit 0@0", "begin 0@1", "commit 0@1", "abort 0@1");
  }

  @Test
  void R3_rescaleKeepsEachFormerSubtasksOrder() throws Exception {
    OperatorSubtaskState[] states = new OperatorSubtaskState[2];
    for (int subtask = 0; subtask < 2; subtask++) {
      OneInputStreamOperatorTestHarness<String, Object> crashed =
          harness(new SelfContainedConnector(storeName), SinkOptions.defaults(), 2, subtask);
      crashed.open();
      for (int checkpoint = 1; checkpoint <= 3; checkpoint++) {
        write(crashed, subtask + "-" + checkpoint);
        states[subtask] = crashed.snapshot(checkpoint, checkpoint);
      }
    }
    for (int to : new int[] {1, 2, 4}) {
      String restored = storeName + "-to-" + to;
      for (int subtask = 0; subtask < to; subtask++) {
        try (OneInputStreamOperatorTestHarness<String, Object> harness =
            harness(new SelfContainedConnector(restored), SinkOptions.defaults(), to, subtask)) {
          restore(harness, 3, FunctionHarness.rescale(to, subtask, states));
        }
      }
      assertThat(MemoryStore.named(restored).visible())
          .hasSize(6)
          .containsSubsequence("0-1", "0-2", "0-3")
          .containsSubsequence("1-1", "1-2", "1-3");
    }
  }

  @Test
  void R6_restartWithoutStateIsDetectedBeforeAnythingIsWritten() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness = harness()) {
      harness.open();
      write(harness, "a");
      harness.snapshot(1, 1);
      harness.notifyOfCompletedCheckpoint(1);
    }
    try (OneInputStreamOperatorTestHarness<String, Object> again = harness()) {
      assertThatThrownBy(again::open).isInstanceOf(RewindDetectedException.class);
    }
  }

  @Test
  void E1_finalCheckpointCommitsTheLastTransaction() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness = harness()) {
      harness.open();
      write(harness, "a");
      harness.getOperator().finish();
      harness.snapshot(1, 1);
      harness.notifyOfCompletedCheckpoint(1);
    }
    assertThat(store.visible()).containsExactly("a");
  }

  @Test
  void E2_closeAbortsWhatIsOpenAndKeepsWhatIsPrepared() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness = harness()) {
      harness.open();
      write(harness, "a");
      harness.snapshot(1, 1);
      write(harness, "b");
    }
    assertThat(store.unfinished()).extracting(TransactionId::since).containsExactly(0L);
    assertThat(store.visible()).isEmpty();
  }

  @Test
  void S3_tooManyPendingTransactionsAreRefused() throws Exception {
    SinkOptions two = SinkOptions.defaults().withMaxPending(2, 1 << 20);
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        harness(new MemoryConnector(storeName), two, 1, 0)) {
      harness.open();
      write(harness, "a");
      harness.snapshot(1, 1);
      write(harness, "b");
      harness.snapshot(2, 2);
      write(harness, "c");
      assertThatThrownBy(() -> harness.snapshot(3, 3))
          .hasRootCauseInstanceOf(PendingLimitException.class)
          .hasStackTraceContaining("maxPendingTransactions is 2");
    }
  }

  @Test
  void atLeastOnceCommitsWhenACheckpointIsTaken() throws Exception {
    SinkOptions options = SinkOptions.defaults().withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE);
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        harness(new MemoryConnector(storeName), options, 1, 0)) {
      harness.open();
      write(harness, "a");
      harness.snapshot(1, 1);
      assertThat(store.visible()).containsExactly("a");
      write(harness, "b");
      harness.getOperator().finish();
      assertThat(store.visible()).containsExactly("a", "b");
    }
  }

  @Test
  void noneCommitsAtTheFlushInterval() throws Exception {
    SinkOptions options =
        SinkOptions.defaults()
            .withGuarantee(DeliveryGuarantee.NONE)
            .withFlushInterval(Duration.ofMillis(100));
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        harness(new MemoryConnector(storeName), options, 1, 0)) {
      harness.open();
      write(harness, "a");
      harness.setProcessingTime(99);
      assertThat(store.visible()).isEmpty();
      harness.setProcessingTime(100);
      assertThat(store.visible()).containsExactly("a");
      write(harness, "b");
      harness.setProcessingTime(200);
      assertThat(store.visible()).containsExactly("a", "b");
    }
  }

  @Test
  void weakenedGuaranteeStillCommitsWhatWasPreparedBefore() throws Exception {
    OneInputStreamOperatorTestHarness<String, Object> exact = harness();
    exact.open();
    write(exact, "a");
    OperatorSubtaskState state = exact.snapshot(1, 1);
    SinkOptions options = SinkOptions.defaults().withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE);
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        harness(new MemoryConnector(storeName), options, 1, 0)) {
      restore(harness, 1, state);
      assertThat(store.visible()).containsExactly("a");
    }
  }

  @Test
  void metricsShowWhatIsSentAndWhatIsWaiting() throws Exception {
    WatchedMetrics metrics = new WatchedMetrics();
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        FunctionHarness.of(
            new StreamSink<>(
                TransactionalSinkFunction.of("orders", new MemoryConnector(storeName))),
            1,
            0,
            FunctionHarness.checkpointing(),
            JobType.STREAMING,
            metrics)) {
      harness.open();
      write(harness, "a", "b");
      assertThat(metrics.value("numRecordsSend")).isEqualTo(2);
      assertThat(metrics.value("openTransactions")).isEqualTo(1);
      harness.snapshot(1, 1);
      assertThat(metrics.value("openTransactions")).isZero();
      assertThat(metrics.value("preparedTransactions")).isEqualTo(1);
      harness.notifyOfCompletedCheckpoint(1);
      assertThat(metrics.value("preparedTransactions")).isZero();
      assertThat(metrics.value("commitRetries")).isZero();
    }
  }

  /** Does not answer a number of commits. */
  private static final class Flaky extends MemoryConnector {

    private Flaky(String storeName) {
      super(storeName);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      if (OUTAGES.getAndDecrement() > 0) {
        throw new IOException("no answer");
      }
      return super.commit(id, handle);
    }
  }

  private static final AtomicLong OUTAGES = new AtomicLong();

  @Test
  void C8_unknownOutcomeIsAskedForAgain() throws Exception {
    OUTAGES.set(2);
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        harness(new Flaky(storeName), SinkOptions.defaults(), 1, 0)) {
      harness.open();
      write(harness, "a");
      harness.snapshot(1, 1);
      harness.notifyOfCompletedCheckpoint(1);
    }
    assertThat(store.visible()).containsExactly("a");
    assertThat(OUTAGES).hasValue(-1);
  }
}
