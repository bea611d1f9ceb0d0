package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.store.Bank;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.StreamSink;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** How the hardened function starts and ends, in the harness and in real jobs. */
class HardenedSetupTest {

  private String name;
  private Bank bank;

  @BeforeEach
  void openBank(TestInfo test) {
    name = test.getDisplayName();
    bank = Bank.named(name);
  }

  private StreamSink<String> sink() {
    return new StreamSink<>(new HardenedBankSink(name, null).hardened());
  }

  private void start(Configuration job, JobType type) throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        FunctionHarness.of(sink(), 1, 0, job, type)) {
      harness.open();
    }
  }

  private static StreamExecutionEnvironment environment(Configuration configuration) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(2);
    return environment;
  }

  private void numbers(StreamExecutionEnvironment environment) throws Exception {
    environment
        .fromSequence(1, 1000)
        .map(number -> "n" + number)
        .addSink(new HardenedBankSink(name, null));
    environment.execute();
  }

  @Test
  void E3_jobWithoutCheckpointsIsRefused() {
    assertThatThrownBy(() -> start(new Configuration(), JobType.STREAMING))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("execution.checkpointing.interval is not set")
        .hasMessageContaining("enableCheckpointing");
    assertThat(bank.log()).isEmpty();
  }

  @Test
  void E3_batchModeIsRefused() {
    assertThatThrownBy(() -> start(FunctionHarness.checkpointing(), JobType.BATCH))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("execution.runtime-mode is BATCH");
    assertThat(bank.log()).isEmpty();
  }

  @Test
  void E3_finalCheckpointsSwitchedOffAreRefused() {
    Configuration job = FunctionHarness.checkpointing();
    job.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
    assertThatThrownBy(() -> start(job, JobType.STREAMING))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("checkpoints-after-tasks-finish")
        .hasMessageContaining("set it to true");
    assertThat(bank.log()).isEmpty();
  }

  @Test
  void E3_checkpointsThatRepeatRecordsAreRefused() {
    Configuration job = FunctionHarness.checkpointing();
    job.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.AT_LEAST_ONCE);
    assertThatThrownBy(() -> start(job, JobType.STREAMING))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("execution.checkpointing.mode is AT_LEAST_ONCE")
        .hasMessageContaining("set it to EXACTLY_ONCE");
    assertThat(bank.log()).isEmpty();
  }

  @Test
  @Timeout(60) // A refusal that Flink answered with restarts would go on for ever.
  void E3_realJobsAreRefusedToo() {
    assertThatThrownBy(() -> numbers(environment(new Configuration())))
        .hasStackTraceContaining("execution.checkpointing.interval is not set");
    StreamExecutionEnvironment batch = environment(new Configuration());
    batch.setRuntimeMode(RuntimeExecutionMode.BATCH);
    assertThatThrownBy(() -> numbers(batch))
        .hasStackTraceContaining("execution.runtime-mode is BATCH");
    Configuration noFinal = new Configuration();
    noFinal.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
    StreamExecutionEnvironment withoutFinal = environment(noFinal);
    withoutFinal.enableCheckpointing(50);
    assertThatThrownBy(() -> numbers(withoutFinal))
        .hasStackTraceContaining("checkpoints-after-tasks-finish is false");
    assertThat(bank.visible()).isEmpty();
  }

  @Test
  void E1_realJobRetriesAFailedCommitAndCommitsItsLastTransaction() throws Exception {
    StreamExecutionEnvironment environment = environment(new Configuration());
    environment.enableCheckpointing(50);
    bank.failCommits(2);
    numbers(environment);
    List<String> expected = LongStream.rangeClosed(1, 1000).mapToObj(i -> "n" + i).toList();
    assertThat(bank.visible()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(bank.log().stream().filter(event -> event.startsWith("failed"))).hasSize(2);
  }

  @Test
  void E1_finalCheckpointCommitsTheLastTransaction() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness = FunctionHarness.of(sink())) {
      harness.open();
      harness.processElement("a", 0);
      harness.endInput();
      harness.getOperator().finish();
      harness.snapshot(1, 1);
      harness.notifyOfCompletedCheckpoint(1);
    }
    assertThat(bank.visible()).containsExactly("a");
    assertThat(bank.log()).containsExactly("begin t1", "preCommit t1", "commit t1");
  }

  @Test
  void E2_closeAbortsTheOpenTransactionOnly() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness = FunctionHarness.of(sink())) {
      harness.open();
      harness.processElement("a", 0);
      harness.snapshot(1, 1);
      bank.clearLog();
    }
    assertThat(bank.log()).containsExactly("abort t2");
  }

  @Test
  void E2_failedAbortDoesNotFailClose() throws Exception {
    HardenedBankSink failing =
        new HardenedBankSink(name, null) {
          @Override
          protected void abort(String transaction) {
            throw new IllegalStateException("the bank is closed");
          }
        };
    OneInputStreamOperatorTestHarness<String, Object> harness =
        FunctionHarness.of(new StreamSink<>(failing.hardened()));
    harness.open();
    harness.close();
    assertThat(bank.log()).containsExactly("begin t1");
  }

  @Test
  void functionThatWasNeverSerializedIsRefusedWithTheRemedy() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        FunctionHarness.of(new StreamSink<>(new HardenedBankSink(name, null)))) {
      assertThatThrownBy(harness::open).hasMessageContaining("function.hardened()");
    }
  }

  @Test
  void serializedTwiceItIsStillHardened() throws Exception {
    StreamSink<String> twice = InstantiationUtil.clone(InstantiationUtil.clone(sink()));
    try (OneInputStreamOperatorTestHarness<String, Object> harness = FunctionHarness.of(twice)) {
      harness.open();
      harness.processElement("a", 0);
      harness.snapshot(1, 1);
      bank.failCommits(1);
      harness.notifyOfCompletedCheckpoint(1);
    }
    assertThat(bank.log())
        .containsExactly(
            "begin t1", "preCommit t1", "begin t2", "failed t1", "commit t1", "abort t2");
  }
}
