package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.OutcomeUnknownException;
import dev.twophase.store.Bank;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.StreamSink;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What the hardened function makes of restored state, its own or that of the base class. */
class HardenedRestoreTest {

  private String name;
  private Bank bank;

  @BeforeEach
  void openBank(TestInfo test) {
    name = test.getDisplayName();
    bank = Bank.named(name);
  }

  /** Two pending transactions per subtask, and one open. */
  private OperatorSubtaskState crashed(StreamSink<String> sink, int parallelism, int subtask)
      throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        FunctionHarness.of(sink, parallelism, subtask)) {
      harness.open();
      harness.processElement("a" + subtask, 0);
      harness.snapshot(1, 1);
      harness.processElement("b" + subtask, 0);
      return harness.snapshot(2, 2);
    }
  }

  private StreamSink<String> hardened(Integer context) {
    return new StreamSink<>(new HardenedBankSink(name, context).hardened());
  }

  private void restore(StreamSink<String> sink, int parallelism, OperatorSubtaskState state)
      throws Exception {
    bank.clearLog();
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        FunctionHarness.of(sink, parallelism, 0)) {
      harness.initializeState(state);
      harness.open();
    }
  }

  @Test
  void R1_restoredIsCommittedInOrderThenOpenIsAbortedThenANewOneBegins() throws Exception {
    OperatorSubtaskState state = crashed(hardened(null), 1, 0);
    restore(hardened(null), 1, state);
    assertThat(bank.log())
        .containsExactly("commit t1", "commit t2", "abort t3", "begin t4", "abort t4");
    assertThat(bank.visible()).containsExactly("a0", "b0");
  }

  @Test
  void R3_onScaleInEverythingIsCommittedBeforeAnythingIsAborted() throws Exception {
    OperatorSubtaskState first = crashed(hardened(null), 2, 0);
    OperatorSubtaskState second = crashed(hardened(null), 2, 1);
    restore(hardened(null), 1, FunctionHarness.rescale(1, 0, first, second));
    assertThat(bank.log().subList(0, 4))
        .containsExactlyInAnyOrder("commit t1", "commit t2", "commit t4", "commit t5");
    assertThat(bank.log().subList(4, 6)).containsExactlyInAnyOrder("abort t3", "abort t6");
    assertThat(bank.log().subList(6, 8)).containsExactly("begin t7", "abort t7");
    assertThat(bank.visible()).containsSubsequence("a0", "b0").containsSubsequence("a1", "b1");
  }

  @Test
  void R3_onScaleOutASubtaskWithoutStateStartsAfresh() throws Exception {
    OperatorSubtaskState state = crashed(hardened(7), 1, 0);
    restore(hardened(7), 2, FunctionHarness.rescale(2, 0, state));
    assertThat(bank.visible()).containsExactly("a0", "b0");
    bank.clearLog();
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        FunctionHarness.of(hardened(9), 2, 1)) {
      harness.initializeState(FunctionHarness.rescale(2, 1, state));
      harness.open();
      assertThat(bank.log()).containsExactly("begin t5");
    }
  }

  @Test
  void C8_restoredCommitIsRepeatedBeforeAnythingElseHappens() throws Exception {
    OperatorSubtaskState state = crashed(hardened(7), 1, 0);
    HardenedBankSink sink = new HardenedBankSink(name, 7);
    ManualClock clock = new ManualClock();
    sink.clock = clock;
    bank.failCommits(2);
    restore(new StreamSink<>(sink.hardened()), 1, state);
    assertThat(bank.log())
        .containsExactly(
            "failed t1",
            "failed t1",
            "commit t1",
            "commit t2",
            "abort t3",
            "context 7 after [t1, t2, t3]",
            "begin t4",
            "abort t4");
    assertThat(clock.sleeps()).hasSize(2);
  }

  @Test
  void C3_aRestoredCommitThatKeepsFailingStopsEverything() throws Exception {
    OperatorSubtaskState state = crashed(hardened(null), 1, 0);
    HardenedBankSink sink = new HardenedBankSink(name, null);
    sink.setCommitTimeout(Duration.ZERO);
    bank.failCommits(1);
    assertThatThrownBy(() -> restore(new StreamSink<>(sink.hardened()), 1, state))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("commit of what was restored");
    assertThat(bank.log()).containsExactly("failed t1");
  }

  @Test
  void userContextIsRestored() throws Exception {
    OperatorSubtaskState state = crashed(hardened(7), 1, 0);
    restore(hardened(8), 1, state);
    assertThat(bank.log()).contains("context 7 after [t1, t2, t3]");
  }

  @Test
  void equalUserContextsMergeByThemselves() throws Exception {
    OperatorSubtaskState first = crashed(hardened(7), 2, 0);
    OperatorSubtaskState second = crashed(hardened(7), 2, 1);
    restore(hardened(8), 1, FunctionHarness.rescale(1, 0, first, second));
    assertThat(bank.log().stream().filter(event -> event.startsWith("context 7"))).hasSize(1);
  }

  @Test
  void differentUserContextsAreRefusedNamingTheMethodToOverride() throws Exception {
    OperatorSubtaskState first = crashed(hardened(7), 2, 0);
    OperatorSubtaskState second = crashed(hardened(8), 2, 1);
    OperatorSubtaskState both = FunctionHarness.rescale(1, 0, first, second);
    assertThatThrownBy(() -> restore(hardened(9), 1, both))
        .hasMessageContaining("2 different user contexts")
        .hasMessageContaining("Override mergeUserContexts(List)");
    assertThat(bank.log()).isEmpty();
  }

  @Test
  void differentUserContextsMeetInTheOverriddenMethod() throws Exception {
    OperatorSubtaskState first = crashed(hardened(7), 2, 0);
    OperatorSubtaskState second = crashed(hardened(8), 2, 1);
    HardenedBankSink summing =
        new HardenedBankSink(name, 9) {
          @Override
          protected Integer mergeUserContexts(List<Integer> contexts) {
            return contexts.stream().mapToInt(Integer::intValue).sum();
          }
        };
    restore(new StreamSink<>(summing.hardened()), 1, FunctionHarness.rescale(1, 0, first, second));
    assertThat(bank.log()).anyMatch(event -> event.startsWith("context 15 after [t"));
  }

  @Test
  void S1_stateOfTheBaseClassIsReadOnTheSameFlinkLine() throws Exception {
    OperatorSubtaskState state = crashed(new StreamSink<>(new PlainBankSink(name, 7)), 1, 0);
    restore(hardened(null), 1, state);
    assertThat(bank.log())
        .containsExactly(
            "commit t1",
            "commit t2",
            "abort t3",
            "context 7 after [t1, t2, t3]",
            "begin t4",
            "abort t4");
  }

  @Test
  void S1_theWayBackToTheBaseClassIsOpenToo() throws Exception {
    OperatorSubtaskState state = crashed(hardened(7), 1, 0);
    restore(new StreamSink<>(new PlainBankSink(name, null)), 1, state);
    assertThat(bank.visible()).containsExactly("a0", "b0");
  }
}
