package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.RewindDetectedException;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.policy.SinkOptions;
import dev.twophase.store.MemoryConnector;
import dev.twophase.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The Sink V2 adapter in real jobs: what it writes, and what it refuses to start. */
class TransactionalSinkJobTest {

  private static final Map<String, AtomicBoolean> FAILED = new ConcurrentHashMap<>();

  private String store;

  @BeforeEach
  void freshStore(TestInfo test) {
    store = test.getDisplayName();
  }

  private static StreamExecutionEnvironment environment(Configuration configuration) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(2);
    return environment;
  }

  private static DataStream<String> numbers(StreamExecutionEnvironment environment, int count) {
    return environment.fromSequence(1, count).map(number -> "n" + number);
  }

  private static List<String> expected(int count) {
    return LongStream.rangeClosed(1, count).mapToObj(number -> "n" + number).toList();
  }

  private TransactionalSink<String, ?, ?> sink(String name, DeliveryGuarantee guarantee) {
    return TransactionalSink.of(
        name, new MemoryConnector(store), SinkOptions.defaults().withGuarantee(guarantee));
  }

  @Test
  void E1_boundedStreamingJobCommitsItsLastTransaction() throws Exception {
    StreamExecutionEnvironment environment = environment(new Configuration());
    environment.enableCheckpointing(50);
    numbers(environment, 1000).sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE)).uid("s");
    environment.execute();
    assertThat(MemoryStore.named(store).visible())
        .containsExactlyInAnyOrderElementsOf(expected(1000));
    assertThat(MemoryStore.named(store).unfinished()).isEmpty();
  }

  @Test
  void C1_batchJobCommitsAtEndOfInput() throws Exception {
    StreamExecutionEnvironment environment = environment(new Configuration());
    environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
    numbers(environment, 1000).sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE)).uid("s");
    environment.execute();
    assertThat(MemoryStore.named(store).visible())
        .containsExactlyInAnyOrderElementsOf(expected(1000));
  }

  @Test
  void weakerGuaranteesWriteEverythingWithoutCheckpoints() throws Exception {
    for (DeliveryGuarantee guarantee :
        List.of(DeliveryGuarantee.AT_LEAST_ONCE, DeliveryGuarantee.NONE)) {
      StreamExecutionEnvironment environment = environment(new Configuration());
      numbers(environment, 1000).sinkTo(sink(guarantee.name(), guarantee));
      environment.execute();
    }
    List<String> twice = new ArrayList<>(expected(1000));
    twice.addAll(expected(1000));
    assertThat(MemoryStore.named(store).visible()).containsExactlyInAnyOrderElementsOf(twice);
    assertThat(MemoryStore.named(store).unfinished()).isEmpty();
  }

  @Test
  void atLeastOnceLosesNothingWhenTheJobFails() throws Exception {
    StreamExecutionEnvironment environment = environment(new Configuration());
    environment.enableCheckpointing(20);
    AtomicBoolean failed = FAILED.computeIfAbsent(store, name -> new AtomicBoolean());
    String key = store;
    environment
        .fromSequence(1, 4000)
        .map(
            number -> {
              if (number == 1900 && FAILED.get(key).compareAndSet(false, true)) {
                throw new IllegalStateException("once");
              }
              return "n" + number;
            })
        .sinkTo(sink("orders", DeliveryGuarantee.AT_LEAST_ONCE))
        .uid("s");
    environment.execute();
    assertThat(failed).isTrue();
    assertThat(MemoryStore.named(store).visible()).containsAll(expected(4000));
  }

  @Test
  void severalSinksInOneJobKeepTheirRecordsApart() throws Exception {
    StreamExecutionEnvironment environment = environment(new Configuration());
    environment.enableCheckpointing(50);
    DataStream<String> numbers = numbers(environment, 100);
    numbers.sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE)).uid("a");
    numbers.sinkTo(sink("orders-eu", DeliveryGuarantee.EXACTLY_ONCE)).uid("b");
    environment.execute();
    assertThat(MemoryStore.named(store).visible()).hasSize(200);
  }

  @Test
  void S2_sinkPrintsItsNameAndNothingOfTheConnector() {
    assertThat(sink("orders", DeliveryGuarantee.EXACTLY_ONCE))
        .hasToString("TransactionalSink[orders]");
  }

  @Test
  void E3_exactlyOnceWithoutCheckpointingIsRefused() {
    StreamExecutionEnvironment environment = environment(new Configuration());
    numbers(environment, 10).sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE)).uid("s");
    assertThatThrownBy(environment::execute)
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("execution.checkpointing.interval is not set")
        .hasMessageContaining("enableCheckpointing");
  }

  @Test
  void E3_finalCheckpointsSwitchedOffAreRefused() {
    Configuration configuration = new Configuration();
    configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
    StreamExecutionEnvironment environment = environment(configuration);
    environment.enableCheckpointing(50);
    numbers(environment, 10).sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE)).uid("s");
    assertThatThrownBy(environment::execute)
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("checkpoints-after-tasks-finish")
        .hasMessageContaining("is false");
  }

  @Test
  void E3_checkpointsThatRepeatRecordsAreRefused() {
    Configuration configuration = new Configuration();
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.AT_LEAST_ONCE);
    StreamExecutionEnvironment environment = environment(configuration);
    environment.enableCheckpointing(50);
    numbers(environment, 10).sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE)).uid("s");
    assertThatThrownBy(environment::execute)
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("execution.checkpointing.mode is AT_LEAST_ONCE")
        .hasMessageContaining("set it to EXACTLY_ONCE");
  }

  @Test
  @Timeout(60) // A refusal that Flink answered with restarts would go on for ever.
  void R6_aJobStartedAgainWithoutItsStateFailsForGood() throws Exception {
    for (boolean again : new boolean[] {false, true}) {
      StreamExecutionEnvironment environment = environment(new Configuration());
      environment.enableCheckpointing(50);
      numbers(environment, 1000).sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE)).uid("s");
      if (again) {
        assertThatThrownBy(environment::execute)
            .hasStackTraceContaining(RewindDetectedException.class.getName());
      } else {
        environment.execute();
      }
    }
    assertThat(MemoryStore.named(store).visible())
        .containsExactlyInAnyOrderElementsOf(expected(1000));
  }

  @Test
  void E3_missingUidIsRefused() {
    StreamExecutionEnvironment environment = environment(new Configuration());
    environment.enableCheckpointing(50);
    numbers(environment, 10).sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE));
    assertThatThrownBy(environment::execute)
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("the uid is not set");
  }

  @Test
  void R6_sameSinkNameTwiceInOneJobIsRefused() {
    StreamExecutionEnvironment environment = environment(new Configuration());
    environment.enableCheckpointing(50);
    DataStream<String> numbers = numbers(environment, 10);
    numbers.sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE)).uid("a");
    numbers.sinkTo(sink("orders", DeliveryGuarantee.EXACTLY_ONCE)).uid("b");
    assertThatThrownBy(environment::execute)
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("used by 2 sinks");
  }

  @Test
  void E3_lifetimeShorterThanIntervalPlusRestartIsRefused() {
    StreamExecutionEnvironment environment = environment(new Configuration());
    environment.enableCheckpointing(10_000);
    numbers(environment, 10).sinkTo(TransactionalSink.of("orders", new ShortLived(store))).uid("s");
    assertThatThrownBy(environment::execute)
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("transaction lifetime is PT1M")
        .hasMessageContaining("PT1M10S");
  }

  /** Its resource forgets after a minute. */
  private static final class ShortLived extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    ShortLived(String storeName) {
      super(storeName);
    }

    @Override
    public Optional<Duration> transactionLifetime() {
      return Optional.of(Duration.ofMinutes(1));
    }
  }
}
