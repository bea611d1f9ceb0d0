package dev.twophase.kafka.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.kafka.KafkaCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job that writes numbers to a topic, a reader beside it, and what must be true in the end. */
final class ChaosJob implements AutoCloseable {

  /** How long a job may take to recover from whatever was done to it. */
  static final Duration PATIENCE = Duration.ofSeconds(120);

  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final int PARTITIONS = 3;
  private static final long CHECKPOINT_MILLIS = 150;
  private static final int MOST_PARALLEL = 8;

  private final KafkaCluster cluster;
  private final String topic;
  private final String name;
  private final long records;
  private final Reader reader;
  private JobClient client;
  private int restarts = 100;
  private RewindPolicy rewinds = RewindPolicy.FAIL;
  private Optional<Duration> transactionTimeout = Optional.empty();

  private ChaosJob(KafkaCluster cluster, String topic, String name, long records) {
    this.cluster = cluster;
    this.topic = topic;
    this.name = name;
    this.records = records;
    this.reader = new Reader(cluster.bootstrapServers(), topic, PARTITIONS);
  }

  /** Starts it with clients that give up soon. */
  static ChaosJob start(KafkaCluster cluster, long records) throws Exception {
    String topic = "chaos-" + NAMES.incrementAndGet();
    cluster.createTopic(topic, PARTITIONS);
    return start(cluster, topic, topic, records);
  }

  static ChaosJob start(KafkaCluster cluster, String topic, String name, long records)
      throws Exception {
    ChaosJob job = new ChaosJob(cluster, topic, name, records);
    job.run(2, Optional.empty());
    return job;
  }

  /** Starts one whose transactions do not outlive a long outage. */
  static ChaosJob withTimeout(KafkaCluster cluster, Duration timeout, long records)
      throws Exception {
    String topic = "chaos-" + NAMES.incrementAndGet();
    cluster.createTopic(topic, PARTITIONS);
    ChaosJob job = new ChaosJob(cluster, topic, topic, records);
    job.transactionTimeout = Optional.of(timeout);
    job.run(2, Optional.empty());
    return job;
  }

  /** Begins at a savepoint, or anew if there is none; the first failure is its end. */
  static ChaosJob from(
      KafkaCluster cluster,
      String topic,
      long records,
      Optional<String> savepoint,
      RewindPolicy policy)
      throws Exception {
    ChaosJob job = new ChaosJob(cluster, topic, topic, records);
    job.restarts = 0;
    job.rewinds = policy;
    job.run(2, savepoint);
    return job;
  }

  /** Stops it with a savepoint and goes on from there. */
  void rescale(int parallelism, Path savepoints) throws Exception {
    run(parallelism, Optional.of(stop(savepoints)));
  }

  /** Takes a savepoint and lets the job go on. */
  String savepoint(Path savepoints) throws Exception {
    return running()
        .triggerSavepoint(savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Stops it with a savepoint. */
  String stop(Path savepoints) throws Exception {
    String savepoint =
        running()
            .stopWithSavepoint(false, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    awaitEnd();
    return savepoint;
  }

  /** Waits for its end, which must be a good one. */
  void awaitEnd() throws Exception {
    running().getJobExecutionResult().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Waits for its end and returns what has ended it. */
  Throwable failure() {
    return catchThrowable(this::awaitEnd);
  }

  /** All that a read_committed consumer has been given up to now, which may be more than once. */
  List<Long> seen() {
    return reader.seen().stream().map(Numbers::number).toList();
  }

  private void run(int parallelism, Optional<String> savepoint) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, restarts);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(200));
    savepoint.ifPresent(path -> configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
    environment.setMaxParallelism(MOST_PARALLEL);
    environment.enableCheckpointing(CHECKPOINT_MILLIS);
    environment
        .fromSequence(1, records)
        .uid("numbers")
        .setParallelism(1)
        .map(new Numbers())
        .setParallelism(1)
        .keyBy(Numbers::key)
        .sinkTo(sink())
        .uid("sink");
    client = environment.executeAsync("chaos");
  }

  private Sink<String> sink() {
    TransactionalKafkaSink<String> sink =
        TransactionalKafkaSink.<String>builder()
            .setBootstrapServers(cluster.bootstrapServers())
            .setTransactionalIdPrefix(name)
            .setTopic(topic)
            .setKeySerializer(record -> Numbers.key(record).getBytes(StandardCharsets.UTF_8))
            .setValueSerializer(new SimpleStringSchema())
            .setProperty("max.block.ms", "4000")
            .setProperty("request.timeout.ms", "2000")
            .setProperty("delivery.timeout.ms", "4000")
            .setProperty("linger.ms", "0")
            .setOptions(
                SinkOptions.defaults()
                    .withRewindPolicy(rewinds)
                    .withRestartAllowance(Duration.ofSeconds(1)));
    transactionTimeout.ifPresent(
        timeout ->
            sink.setTransactionTimeout(timeout).setProperty("default.api.timeout.ms", "2000"));
    return sink.buildSink();
  }

  private JobClient running() {
    return Objects.requireNonNull(client);
  }

  /** Where it writes to. */
  String topic() {
    return topic;
  }

  /** Waits until so many records have been seen committed. */
  void awaitCommitted(long count) {
    await().atMost(PATIENCE).until(() -> reader.seen().size() >= count);
  }

  /** Waits until something more is committed than now, if there is more to come. */
  void awaitMoreCommitted() {
    awaitCommitted(Math.min(records, reader.seen().size() + 1));
  }

  /**
   * Waits until something is committed that had not passed when a savepoint was taken: what belongs
   * to the savepoint itself may still be to come.
   */
  void awaitCommittedBehind(long number) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              if (running().getJobExecutionResult().isDone()) {
                // Throws what has ended it.
                awaitEnd();
              }
              return seen().stream().anyMatch(each -> each > number);
            });
  }

  /** The fault is the time itself: longer than every timeout of the job's clients. */
  static void outlastTimeouts() {
    outlast(Duration.ofSeconds(6));
  }

  /** Lets time pass. */
  static void outlast(Duration time) {
    await().pollDelay(time).timeout(time.plusSeconds(30)).until(() -> true);
  }

  /** Waits for the end of the job; each record must have been seen once, in order per key. */
  void assertExactlyOnce() throws Exception {
    awaitEnd();
    await().atMost(PATIENCE).until(() -> reader.seen().size() >= records);
    // A duplicate would come after what is missing was seen: read on to the very end.
    reader.close();
    List<String> seen = reader.seen();
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, records).mapToObj(Numbers::record).toList());
    seen.stream()
        .collect(Collectors.groupingBy(Numbers::key))
        .forEach(
            (key, ofKey) ->
                assertThat(ofKey.stream().map(Numbers::number)).as("key " + key).isSorted());
  }

  @Override
  public void close() throws Exception {
    reader.close();
    if (client != null && !client.getJobExecutionResult().isDone()) {
      client.cancel();
    }
  }
}
