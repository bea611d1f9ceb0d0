package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.OutcomeUnknownException;
import dev.twophase.error.PendingLimitException;
import dev.twophase.store.Bank;
import java.time.Duration;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.streaming.api.operators.StreamSink;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What the hardened function does between a snapshot and the commit. */
class HardenedCommitTest {

  private final ManualClock clock = new ManualClock();
  private final WatchedMetrics metrics = new WatchedMetrics();
  private Bank bank;
  private HardenedBankSink sink;
  private OneInputStreamOperatorTestHarness<String, Object> harness;

  @BeforeEach
  void open(TestInfo test) throws Exception {
    bank = Bank.named(test.getDisplayName());
    sink = new HardenedBankSink(test.getDisplayName(), null);
    sink.clock = clock;
    harness =
        FunctionHarness.of(
            new StreamSink<>(sink.hardened()),
            1,
            0,
            FunctionHarness.checkpointing(),
            JobType.STREAMING,
            metrics);
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private void prepare(long checkpoint, String record) throws Exception {
    harness.processElement(record, 0);
    harness.snapshot(checkpoint, checkpoint);
  }

  @Test
  void C3_firstFailureStopsTheRest() throws Exception {
    sink.setCommitTimeout(Duration.ZERO);
    prepare(1, "a");
    prepare(2, "b");
    bank.clearLog();
    bank.failCommits(1);

    assertThatThrownBy(() -> harness.notifyOfCompletedCheckpoint(2))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("commit of checkpoint 1")
        .hasMessageContaining("the bank is closed");
    assertThat(bank.log()).containsExactly("failed t1");
    assertThat(bank.visible()).isEmpty();
  }

  @Test
  void C3_theBaseClassLetsALaterCommitOvertake(TestInfo test) throws Exception {
    PlainBankSink plain = new PlainBankSink(test.getDisplayName() + "-plain", null);
    try (OneInputStreamOperatorTestHarness<String, Object> other =
        FunctionHarness.of(new StreamSink<>(plain))) {
      other.open();
      other.processElement("a", 0);
      other.snapshot(1, 1);
      other.processElement("b", 0);
      other.snapshot(2, 2);
      plain.bank().failCommits(1);
      assertThatThrownBy(() -> other.notifyOfCompletedCheckpoint(2)).isNotNull();
      assertThat(plain.bank().visible()).containsExactly("b");
    }
  }

  @Test
  void C3_nothingIsCommittedOrPreparedAfterAFailure() throws Exception {
    sink.setCommitTimeout(Duration.ZERO);
    prepare(1, "a");
    bank.failCommits(1);
    assertThatThrownBy(() -> harness.notifyOfCompletedCheckpoint(1)).isNotNull();
    bank.clearLog();

    assertThatThrownBy(() -> harness.snapshot(2, 2)).hasStackTraceContaining("the bank is closed");
    assertThatThrownBy(() -> harness.notifyOfCompletedCheckpoint(2))
        .hasMessageContaining("an earlier commit failed");
    assertThat(bank.log()).isEmpty();
  }

  @Test
  void C4_oneNotificationCoversEverythingUpToIt() throws Exception {
    prepare(1, "a");
    prepare(2, "b");
    prepare(3, "c");
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(bank.visible()).containsExactly("a", "b");
    harness.notifyOfCompletedCheckpoint(1);
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(bank.visible()).containsExactly("a", "b");
    harness.notifyOfCompletedCheckpoint(3);
    assertThat(bank.visible()).containsExactly("a", "b", "c");
  }

  @Test
  void C5_abortedCheckpointDiscardsNothing() throws Exception {
    prepare(1, "a");
    harness.getOperator().notifyCheckpointAborted(1);
    prepare(2, "b");
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(bank.visible()).containsExactly("a", "b");
  }

  @Test
  void C8_failedCommitIsRepeatedInPlace() throws Exception {
    prepare(1, "a");
    prepare(2, "b");
    bank.clearLog();
    bank.failCommits(3);
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(bank.log())
        .containsExactly("failed t1", "failed t1", "failed t1", "commit t1", "commit t2");
    assertThat(clock.sleeps()).hasSize(3);
    assertThat(metrics.value("commitRetries")).isEqualTo(3L);
  }

  @Test
  void C8_pausesGrowAndEndWithTheBudget() throws Exception {
    sink.setCommitTimeout(Duration.ofSeconds(30));
    prepare(1, "a");
    bank.failCommits(Integer.MAX_VALUE);
    assertThatThrownBy(() -> harness.notifyOfCompletedCheckpoint(1))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("setCommitTimeout is PT30S");
    assertThat(clock.slept()).isEqualTo(30_000);
    assertThat(clock.sleeps().get(0)).isBetween(25L, 50L);
    assertThat(clock.sleeps()).hasSizeLessThan(25);
  }

  @Test
  void C8_repetitionEndsWithTheTransactionsLifetime() throws Exception {
    sink.setTransactionTimeout(20_000);
    prepare(1, "a");
    prepare(2, "b");
    harness.notifyOfCompletedCheckpoint(1);
    clock.advance(15_000);
    bank.failCommits(Integer.MAX_VALUE);
    assertThatThrownBy(() -> harness.notifyOfCompletedCheckpoint(2))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(clock.slept()).isEqualTo(5_000);
  }

  @Test
  void C8_waitingIsInterruptible() throws Exception {
    prepare(1, "a");
    bank.failCommits(Integer.MAX_VALUE);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> harness.notifyOfCompletedCheckpoint(1))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void metricsShowWhatIsWaiting() throws Exception {
    assertThat(metrics.value("preparedTransactions")).isEqualTo(0L);
    prepare(1, "a");
    prepare(2, "b");
    assertThat(metrics.value("preparedTransactions")).isEqualTo(2L);
    assertThat(metrics.value("oldestPreparedAge")).isPositive();
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(metrics.value("preparedTransactions")).isEqualTo(0L);
    assertThat(metrics.value("oldestPreparedAge")).isEqualTo(0L);
  }

  @Test
  void S3_tooManyPendingTransactionsAreRefused() throws Exception {
    sink.setMaxPending(2, Long.MAX_VALUE);
    prepare(1, "a");
    prepare(2, "b");
    bank.clearLog();
    assertThatThrownBy(() -> prepare(3, "c"))
        .hasRootCauseInstanceOf(PendingLimitException.class)
        .hasStackTraceContaining("2 prepared transactions")
        .hasStackTraceContaining("setMaxPending allows 2");
    assertThat(bank.log()).isEmpty();
  }

  @Test
  void S3_tooManyBytesOfHandlesAreRefused() throws Exception {
    sink.setMaxPending(Integer.MAX_VALUE, 6);
    prepare(1, "a");
    prepare(2, "b");
    assertThatThrownBy(() -> prepare(3, "c"))
        .hasStackTraceContaining("handles of 6 bytes wait for their commit");
  }

  @Test
  void S3_committedTransactionsNoLongerCount() throws Exception {
    sink.setMaxPending(1, 3);
    for (int checkpoint = 1; checkpoint <= 5; checkpoint++) {
      prepare(checkpoint, "r" + checkpoint);
      harness.notifyOfCompletedCheckpoint(checkpoint);
    }
    assertThat(bank.visible()).containsExactly("r1", "r2", "r3", "r4", "r5");
  }
}
