package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.HandleSerializers;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.error.UnreadableStateException;
import dev.twophase.internal.state.PreparedListSerializer;
import dev.twophase.store.MemoryConnector;
import dev.twophase.store.MemoryStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.StreamSink;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** S4, S5: state that is not this adapter's, or cannot be read, stops the job before anything. */
@Timeout(120)
class AdapterStatesTest {

  @TempDir private Path savepoints;
  private String storeName;

  /** How one of the adapters is added to a job, with uid {@code sink}. */
  private interface Adapter {
    void addTo(DataStream<String> stream, MemoryConnector connector);
  }

  private static final Adapter SINK_V2 =
      (stream, connector) -> stream.sinkTo(TransactionalSink.of("orders", connector)).uid("sink");

  private static final Adapter FUNCTION =
      (stream, connector) ->
          TransactionalSinkFunction.addTo(
              stream, "sink", TransactionalSinkFunction.of("orders", connector));

  @BeforeEach
  void freshStore(TestInfo test) {
    storeName = "states-" + test.getDisplayName();
  }

  private JobClient start(Adapter adapter, Path restoreFrom) throws Exception {
    StreamExecutionEnvironment environment = SlowNumbers.environment(2, restoreFrom);
    Configuration more = new Configuration();
    more.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    more.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    environment.configure(more);
    adapter.addTo(SlowNumbers.upTo(environment, 20_000), new MemoryConnector(storeName));
    return environment.executeAsync();
  }

  private Path stopped(JobClient job) throws Exception {
    while (MemoryStore.named(storeName).committed().size() < 2) {
      Thread.onSpinWait();
    }
    return Path.of(
        URI.create(
            job.stopWithSavepoint(
                    false, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS)));
  }

  private void assertRefused(Adapter writtenBy, Adapter restoredBy, String reason)
      throws Exception {
    Path savepoint = stopped(start(writtenBy, null));
    List<String> before = MemoryStore.named(storeName).log();
    JobClient crossed = start(restoredBy, savepoint);
    assertThatThrownBy(() -> crossed.getJobExecutionResult().get(60, TimeUnit.SECONDS))
        .hasStackTraceContaining(SetupRefusedException.class.getName())
        .hasStackTraceContaining(reason);
    assertThat(MemoryStore.named(storeName).log()).isEqualTo(before);
  }

  @Test
  void S5_functionRefusesStateOfSinkV2() throws Exception {
    assertRefused(SINK_V2, FUNCTION, "the restored state is that of a TransactionalSink.");
  }

  @Test
  void S5_sinkV2RefusesStateOfTheFunction() throws Exception {
    assertRefused(FUNCTION, SINK_V2, "the restored state is that of a TransactionalSinkFunction.");
  }

  private OneInputStreamOperatorTestHarness<String, Object> function() throws Exception {
    return FunctionHarness.of(
        new StreamSink<>(TransactionalSinkFunction.of("orders", new MemoryConnector(storeName))));
  }

  @Test
  void S5_functionRefusesStateOfFlinksBaseClass() throws Exception {
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<String, Object> plain =
        FunctionHarness.of(new StreamSink<>(new PlainBankSink(storeName, null)))) {
      plain.open();
      plain.processElement("a", 0);
      state = plain.snapshot(1, 1);
    }
    try (OneInputStreamOperatorTestHarness<String, Object> harness = function()) {
      assertThatThrownBy(() -> harness.initializeState(state))
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("it holds [state]")
          .hasMessageContaining("new uid");
    }
  }

  /** Writes one element of state per array, under the function adapter's name. */
  private static final class RawState extends FlinkSinkFunction<String>
      implements CheckpointedFunction {

    private final byte[][] elements;

    private RawState(byte[]... elements) {
      this.elements = elements;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      context
          .getOperatorStateStore()
          .getListState(
              new ListStateDescriptor<>(
                  "twophase_prepared_transactions", BytePrimitiveArraySerializer.INSTANCE))
          .addAll(List.of(elements));
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {}
  }

  private byte[] prepared(TransactionId id) throws Exception {
    MemoryStore.named(storeName).begin(id);
    return SimpleVersionedSerialization.writeVersionAndSerialize(
        new PreparedListSerializer<>(HandleSerializers.text()),
        List.of(new PreparedTransaction<>(id, 1, 0, 0, 1, Optional.of(id.toString()), List.of())));
  }

  @Test
  void S4_unreadableStateStopsTheFunctionBeforeAnything() throws Exception {
    byte[] readable = prepared(new TransactionId("orders", 0, 0, UUID.randomUUID()));
    byte[] damaged = Arrays.copyOf(readable, readable.length - 3);
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<String, Object> harness =
        FunctionHarness.of(new StreamSink<>(new RawState(readable, damaged)))) {
      harness.open();
      state = harness.snapshot(1, 1);
    }
    List<String> before = MemoryStore.named(storeName).log();
    try (OneInputStreamOperatorTestHarness<String, Object> harness = function()) {
      assertThatThrownBy(() -> harness.initializeState(state))
          .isInstanceOf(UnreadableStateException.class);
    }
    assertThat(MemoryStore.named(storeName).log()).isEqualTo(before);
  }
}
