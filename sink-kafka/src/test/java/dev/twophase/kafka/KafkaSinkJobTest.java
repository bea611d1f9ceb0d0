package dev.twophase.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.flink.TransactionalSinkFunction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.TransactionState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whole jobs through both of Flink's sink APIs, to a real broker. */
class KafkaSinkJobTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private static final long RECORDS = 5_000;
  private static final List<String> EXPECTED =
      LongStream.rangeClosed(1, RECORDS).mapToObj(Long::toString).sorted().toList();

  private final String topic = SharedKafka.newTopic(3);
  private final String name = SharedKafka.uniqueName("job");
  private final StreamExecutionEnvironment environment = environment();

  private static StreamExecutionEnvironment environment() {
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
    StreamExecutionEnvironment made =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    made.setParallelism(2);
    return made;
  }

  /** Takes its time, and fails once, when something has been committed and more is prepared. */
  private static final class FailsAfterTwoCheckpoints extends RichMapFunction<Long, String>
      implements CheckpointListener {
    private int checkpoints;

    @Override
    public String map(Long number) {
      LockSupport.parkNanos(100_000);
      if (checkpoints >= 2 && getRuntimeContext().getTaskInfo().getAttemptNumber() == 0) {
        throw new IllegalStateException("planned");
      }
      return Long.toString(number);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      checkpoints++;
    }
  }

  private DataStream<String> failing() {
    environment.enableCheckpointing(50);
    return environment
        .fromSequence(1, RECORDS)
        .setParallelism(1)
        .map(new FailsAfterTwoCheckpoints())
        .setParallelism(1);
  }

  private TransactionalKafkaSink<String> sink() {
    return Sinks.to(topic, name);
  }

  @Test
  void R1_aJobThatFailsAndRestartsWritesEachRecordOnceThroughSinkV2() throws Exception {
    failing().sinkTo(sink().buildSink()).uid("orders-sink");

    environment.execute();

    assertExactlyOnce();
  }

  @Test
  void R1_aJobThatFailsAndRestartsWritesEachRecordOnceThroughTheFunction() throws Exception {
    TransactionalSinkFunction.addTo(failing(), "orders-sink", sink().buildFunction());

    environment.execute();

    assertExactlyOnce();
  }

  private void assertExactlyOnce() throws Exception {
    assertThat(SharedKafka.committed(topic).stream().sorted()).isEqualTo(EXPECTED);
    assertThat(SharedKafka.ids(name, TransactionState.ONGOING)).isEmpty();
  }

  /** All records are of one key, so one of the two subtasks has none in any checkpoint. */
  @Test
  void W5_idleCheckpointsBeginNothingInKafka() throws Exception {
    failing().keyBy(record -> 0).sinkTo(sink().buildSink()).uid("orders-sink");

    environment.execute();

    assertExactlyOnce();
    Set<String> idle = subtasks(SharedKafka.ids(name, TransactionState.EMPTY));
    Set<String> busy = subtasks(SharedKafka.ids(name, TransactionState.COMPLETE_COMMIT));
    assertThat(busy).hasSize(1);
    assertThat(idle).isNotEmpty();
    assertThat(subtasks(SharedKafka.ids(name))).hasSize(2);
  }

  private static Set<String> subtasks(List<String> ids) {
    return ids.stream().map(id -> id.split("/", -1)[1]).collect(Collectors.toSet());
  }

  @Test
  void atLeastOnceLosesNothingToAFailureAndKnowsNoTransactions() throws Exception {
    failing()
        .sinkTo(sink().setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE).buildSink())
        .uid("orders-sink");

    environment.execute();

    assertThat(new HashSet<>(SharedKafka.committed(topic))).containsAll(EXPECTED);
    assertThat(SharedKafka.ids(name)).isEmpty();
  }

  /** Nothing fails here: without a guarantee a failure may lose what the client still holds. */
  @Test
  void withoutAGuaranteeAJobThatDoesNotFailWritesEachRecordOnceAndKnowsNoTransactions()
      throws Exception {
    environment.enableCheckpointing(50);
    environment
        .fromSequence(1, RECORDS)
        .map(number -> Long.toString(number))
        .returns(Types.STRING)
        .sinkTo(sink().setDeliveryGuarantee(DeliveryGuarantee.NONE).buildSink())
        .uid("orders-sink");

    environment.execute();

    assertThat(SharedKafka.committed(topic).stream().sorted()).isEqualTo(EXPECTED);
    assertThat(SharedKafka.ids(name)).isEmpty();
  }

  @Test
  void C1_aBatchJobPublishesAtItsEndAndAgainWhenItIsRunAgain() throws Exception {
    environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
    runBatch();
    assertExactlyOnce();

    runBatch();

    assertThat(SharedKafka.committed(topic)).hasSize(2 * EXPECTED.size()).containsAll(EXPECTED);
  }

  private void runBatch() throws Exception {
    environment
        .fromSequence(1, RECORDS)
        .map(number -> Long.toString(number))
        .returns(Types.STRING)
        .sinkTo(sink().buildSink())
        .uid("orders-sink");
    environment.execute();
  }
}
