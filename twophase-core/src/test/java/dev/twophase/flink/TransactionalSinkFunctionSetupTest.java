package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.policy.SinkOptions;
import dev.twophase.store.MemoryConnector;
import dev.twophase.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.StreamSink;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * What the function adapter refuses (E3): at addTo what it can see there, the rest at its start.
 */
class TransactionalSinkFunctionSetupTest {

  private static final SinkOptions AT_LEAST_ONCE =
      SinkOptions.defaults().withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE);

  private String storeName;

  @BeforeEach
  void freshStore(TestInfo test) {
    storeName = "function-setup-" + test.getDisplayName();
  }

  /** Gives prepared transactions up after a minute. */
  private static final class ShortLived extends MemoryConnector {

    private ShortLived(String storeName) {
      super(storeName);
    }

    @Override
    public Optional<Duration> transactionLifetime() {
      return Optional.of(Duration.ofMinutes(1));
    }
  }

  private TransactionalSinkFunction<String> sink(String name) {
    return TransactionalSinkFunction.of(name, new MemoryConnector(storeName));
  }

  private static StreamExecutionEnvironment environment(boolean checkpoints) {
    return environment(checkpoints, new Configuration());
  }

  private static StreamExecutionEnvironment environment(
      boolean checkpoints, Configuration configuration) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(2);
    if (checkpoints) {
      environment.enableCheckpointing(50);
    }
    return environment;
  }

  private static DataStream<String> numbers(StreamExecutionEnvironment environment) {
    return environment.fromSequence(1, 1000).map(number -> "n" + number);
  }

  @Test
  void E3_noCheckpointing() {
    DataStream<String> stream = numbers(environment(false));
    assertThatThrownBy(() -> TransactionalSinkFunction.addTo(stream, "sink", sink("orders")))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("execution.checkpointing.interval is not set");
  }

  @Test
  void E3_finalCheckpointsOff() {
    Configuration configuration = new Configuration();
    configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
    DataStream<String> stream = numbers(environment(true, configuration));
    assertThatThrownBy(() -> TransactionalSinkFunction.addTo(stream, "sink", sink("orders")))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("checkpoints-after-tasks-finish is false");
  }

  @Test
  void E3_lifetimeTooShort() {
    DataStream<String> stream = numbers(environment(true));
    TransactionalSinkFunction<String> shortLived =
        TransactionalSinkFunction.of("orders", new ShortLived(storeName));
    assertThatThrownBy(() -> TransactionalSinkFunction.addTo(stream, "sink", shortLived))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("the transaction lifetime is PT1M");
  }

  @Test
  void E3_blankUid() {
    DataStream<String> stream = numbers(environment(true));
    assertThatThrownBy(() -> TransactionalSinkFunction.addTo(stream, " ", sink("orders")))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("the uid is blank");
  }

  @Test
  void R6_sameNameTwiceInOneJob() {
    DataStream<String> stream = numbers(environment(true));
    TransactionalSinkFunction.addTo(stream, "one", sink("orders"));
    TransactionalSinkFunction.addTo(stream, "other", sink("orders-eu"));
    assertThatThrownBy(() -> TransactionalSinkFunction.addTo(stream, "two", sink("orders")))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("used by 2 sinks of this job");
  }

  @Test
  void R6_sameNameThroughBothApis() {
    StreamExecutionEnvironment environment = environment(true);
    DataStream<String> stream = numbers(environment);
    TransactionalSinkFunction.addTo(stream, "one", sink("orders"));
    stream.sinkTo(TransactionalSink.of("orders", new MemoryConnector(storeName))).uid("two");
    assertThatThrownBy(environment::getStreamGraph)
        .hasStackTraceContaining("used by 2 sinks of this job");
  }

  @Test
  void C1_exactlyOnceInBatchModeIsRefused() {
    StreamExecutionEnvironment environment = environment(true);
    environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
    DataStream<String> stream = numbers(environment);
    assertThatThrownBy(() -> TransactionalSinkFunction.addTo(stream, "sink", sink("orders")))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("execution.runtime-mode is BATCH");
  }

  @Test
  @Timeout(60) // A refusal that Flink answered with restarts would go on for ever.
  void E3_plainAddSinkIsRefusedWhenTheTaskStarts() {
    StreamExecutionEnvironment batch = environment(true);
    batch.setRuntimeMode(RuntimeExecutionMode.BATCH);
    numbers(batch).addSink(sink("orders")).uid("sink");
    assertThatThrownBy(batch::execute).hasStackTraceContaining("execution.runtime-mode is BATCH");

    StreamExecutionEnvironment lifetime = environment(true);
    numbers(lifetime)
        .addSink(TransactionalSinkFunction.of("orders", new ShortLived(storeName)))
        .uid("sink");
    assertThatThrownBy(lifetime::execute)
        .hasStackTraceContaining("the transaction lifetime is PT1M");
    assertThat(MemoryStore.named(storeName).log()).isEmpty();
  }

  @Test
  void E3_checkpointsThatRepeatRecordsAreRefused() {
    Configuration configuration = new Configuration();
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.AT_LEAST_ONCE);
    DataStream<String> stream = numbers(environment(true, configuration));
    assertThatThrownBy(() -> TransactionalSinkFunction.addTo(stream, "sink", sink("orders")))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("execution.checkpointing.mode is AT_LEAST_ONCE");

    StreamExecutionEnvironment plain = environment(true, configuration);
    numbers(plain).addSink(sink("orders")).uid("sink");
    assertThatThrownBy(plain::execute)
        .hasStackTraceContaining("execution.checkpointing.mode is AT_LEAST_ONCE");
  }

  @Test
  @Timeout(60) // A refusal that Flink answered with restarts would go on for ever.
  void R6_sameNameTwiceByPlainAddSinkIsRefusedWhenTheTaskStarts() {
    StreamExecutionEnvironment twice = environment(true);
    // Unbounded, or one might have ended before the other starts.
    for (String uid : List.of("one", "two")) {
      twice.fromSequence(1, Long.MAX_VALUE).map(n -> "n").addSink(sink("orders")).uid(uid);
    }
    assertThatThrownBy(twice::execute)
        .hasStackTraceContaining("the sink name is used by two sinks of this job");
  }

  @Test
  void R6_aNameIsFreeAgainWhenItsSinkHasEnded() throws Exception {
    for (int job = 0; job < 2; job++) {
      StreamExecutionEnvironment environment = environment(true);
      String store = storeName + job;
      numbers(environment)
          .addSink(TransactionalSinkFunction.of("orders", new MemoryConnector(store)))
          .uid("uid-" + job);
      environment.execute();
      assertThat(MemoryStore.named(store).visible()).hasSize(1000);
    }
  }

  @Test
  void E3_harnessWithoutCheckpointingIsRefused() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        FunctionHarness.of(
            new StreamSink<>(sink("orders")), 1, 0, new Configuration(), JobType.STREAMING)) {
      assertThatThrownBy(harness::open)
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("execution.checkpointing.interval is not set");
    }
  }

  @Test
  void weakerGuaranteesNeedNoCheckpointsAndNoStreaming() throws Exception {
    StreamExecutionEnvironment streaming = environment(false);
    TransactionalSinkFunction.addTo(
        numbers(streaming),
        "sink",
        TransactionalSinkFunction.of("orders", new MemoryConnector(storeName), AT_LEAST_ONCE));
    streaming.execute();
    assertThat(MemoryStore.named(storeName).visible()).hasSize(1000).doesNotHaveDuplicates();

    StreamExecutionEnvironment batch = environment(false);
    batch.setRuntimeMode(RuntimeExecutionMode.BATCH);
    TransactionalSinkFunction.addTo(
        numbers(batch),
        "sink",
        TransactionalSinkFunction.of(
            "orders", new MemoryConnector(storeName + "-batch"), AT_LEAST_ONCE));
    batch.execute();
    assertThat(MemoryStore.named(storeName + "-batch").visible()).hasSize(1000);
  }
}
