package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.policy.SinkOptions;
import dev.twophase.store.FaultyConnector;
import dev.twophase.store.MemoryConnector;
import dev.twophase.store.MemoryStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real jobs that fail, stop, rescale and rewind; every record must be there exactly once. */
@Timeout(value = 120)
class TransactionalSinkRecoveryTest {

  private static final int RECORDS = 20_000;

  @TempDir private Path savepoints;
  private String storeName;
  private MemoryStore store;

  @BeforeEach
  void freshStore(TestInfo test) {
    storeName = getClass().getSimpleName() + "-" + test.getDisplayName();
    store = MemoryStore.named(storeName);
  }

  private JobClient start(
      int parallelism, Path restoreFrom, MemoryConnector connector, SinkOptions options)
      throws Exception {
    StreamExecutionEnvironment environment = SlowNumbers.environment(parallelism, restoreFrom);
    return run(environment, connector, options);
  }

  /** Adds the adapter under test, with uid {@code sink}. */
  void addSink(
      DataStream<String> stream, String name, MemoryConnector connector, SinkOptions options) {
    stream.sinkTo(TransactionalSink.of(name, connector, options)).uid("sink");
  }

  private JobClient run(
      StreamExecutionEnvironment environment, MemoryConnector connector, SinkOptions options)
      throws Exception {
    addSink(SlowNumbers.upTo(environment, RECORDS), "orders", connector, options);
    return environment.executeAsync();
  }

  private static void finish(JobClient job) throws Exception {
    job.getJobExecutionResult().get();
  }

  private void waitForCommits(int more) {
    int goal = store.committed().size() + more;
    while (store.committed().size() < goal) {
      Thread.onSpinWait();
    }
  }

  private Path stopWithSavepoint(JobClient job, boolean drain) throws Exception {
    String path =
        job.stopWithSavepoint(drain, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    return Path.of(URI.create(path));
  }

  private void assertExactlyOnce() {
    assertThat(store.visible()).hasSize(RECORDS);
    assertThat(store.visible()).containsExactlyInAnyOrderElementsOf(SlowNumbers.expected(RECORDS));
    assertThat(store.unfinished()).isEmpty();
  }

  private static final List<String> EVERY_CALL =
      List.of(
          "before begin",
          "after begin",
          "write",
          "before preCommit",
          "after preCommit",
          "before commit",
          "after commit",
          "unfinished",
          "close");

  @Test
  void R4_faultsInEveryCallLeaveEachRecordOnce() throws Exception {
    assertEveryFaultLeavesEachRecordOnce(SlowNumbers.environment(2, null));
  }

  @Test
  void V1_orderOfASubtaskSurvivesFaults() throws Exception {
    FaultyConnector connector = new FaultyConnector(storeName, EVERY_CALL);
    finish(start(1, null, connector, SinkOptions.defaults()));
    assertThat(store.visible()).isEqualTo(SlowNumbers.expected(RECORDS));
  }

  @Test
  void R1_whatWasRestoredIsCommittedBeforeAnythingIsAborted() throws Exception {
    FaultyConnector connector = new FaultyConnector(storeName, List.of("before commit"));
    finish(start(1, null, connector, SinkOptions.defaults()));
    assertExactlyOnce();
    List<String> log = store.log();
    // The first transaction was restored: it began before the failed attempt's open one.
    assertThat(log.get(0)).isEqualTo("begin 0@0");
    int restoredCommit = log.indexOf("commit 0@0");
    assertThat(restoredCommit).isPositive();
    assertThat(log.subList(0, restoredCommit))
        .noneMatch(each -> each.startsWith("commit") || each.equals("abort 0@0"));
  }

  @Test
  void C4_unalignedCheckpointsUnderFaults() throws Exception {
    StreamExecutionEnvironment environment = SlowNumbers.environment(2, null);
    environment.getCheckpointConfig().enableUnalignedCheckpoints();
    assertEveryFaultLeavesEachRecordOnce(environment);
  }

  @Test
  void C4_concurrentCheckpointsUnderFaults() throws Exception {
    StreamExecutionEnvironment environment = SlowNumbers.environment(2, null);
    environment.getCheckpointConfig().setMaxConcurrentCheckpoints(3);
    assertEveryFaultLeavesEachRecordOnce(environment);
  }

  private void assertEveryFaultLeavesEachRecordOnce(StreamExecutionEnvironment environment)
      throws Exception {
    FaultyConnector connector = new FaultyConnector(storeName, EVERY_CALL);
    finish(run(environment, connector, SinkOptions.defaults()));
    assertThat(FaultyConnector.fired(storeName)).isEqualTo(EVERY_CALL);
    assertExactlyOnce();
  }

  @Test
  void R4_failoverOfOneRegionLeavesTheOtherAloneAndBothExact() throws Exception {
    String other = storeName + "-other";
    StreamExecutionEnvironment environment = SlowNumbers.environment(1, null);
    FaultyConnector failing = new FaultyConnector(storeName, EVERY_CALL);
    addSink(SlowNumbers.upTo(environment, RECORDS), "orders", failing, SinkOptions.defaults());
    SlowNumbers.upTo(environment, "others", RECORDS)
        .sinkTo(TransactionalSink.of("payments", new MemoryConnector(other)))
        .uid("other-sink");
    finish(environment.executeAsync());
    assertThat(FaultyConnector.fired(storeName)).isEqualTo(EVERY_CALL);
    assertExactlyOnce();
    MemoryStore untouched = MemoryStore.named(other);
    assertThat(untouched.visible()).isEqualTo(SlowNumbers.expected(RECORDS));
    assertThat(untouched.committed())
        .extracting(TransactionId::nonce)
        .containsOnly(untouched.committed().get(0).nonce());
  }

  @Test
  void R3_rescaleThroughSavepointsBothWays() throws Exception {
    JobClient two = start(2, null, new Numbered(storeName, 5), SinkOptions.defaults());
    waitForCommits(4);
    Path first = stopWithSavepoint(two, false);
    JobClient four = start(4, first, new Numbered(storeName, 6), SinkOptions.defaults());
    waitForCommits(8);
    Path second = stopWithSavepoint(four, false);
    finish(start(1, second, new Numbered(storeName, 7), SinkOptions.defaults()));
    assertExactlyOnce();
    assertThat(RESTORED_LINES.get(storeName))
        .as("R6: which line's state each writer was given, of those that were given any")
        .contains("5: none", "6: 5", "7: 6")
        .doesNotContain("5: 5", "6: 6", "7: none");
  }

  private static final Map<String, Set<String>> RESTORED_LINES = new ConcurrentHashMap<>();

  /** In a line of its own, and tells of the line that it was restored from. */
  private static final class Numbered extends MemoryConnector {

    private static final long serialVersionUID = 1L;

    private final long line;

    Numbered(String storeName, long line) {
      super(storeName);
      this.line = line;
    }

    @Override
    public void open(ConnectorContext opened) {
      super.open(opened);
      if (opened.role() == ConnectorContext.Role.WRITER) {
        OptionalLong restored = opened.restoredLine();
        RESTORED_LINES
            .computeIfAbsent(storeName, name -> ConcurrentHashMap.newKeySet())
            .add(line + ": " + (restored.isPresent() ? restored.getAsLong() : "none"));
      }
    }

    @Override
    public OptionalLong line() {
      return OptionalLong.of(line);
    }
  }

  @Test
  void E1_stopWithSavepointAndDrainCommitsEverythingRead() throws Exception {
    JobClient job = start(2, null, new MemoryConnector(storeName), SinkOptions.defaults());
    waitForCommits(4);
    stopWithSavepoint(job, true);
    int read = SlowNumbers.lastRead();
    assertThat(read).isPositive();
    assertThat(store.visible()).containsExactlyInAnyOrderElementsOf(SlowNumbers.expected(read));
    assertThat(store.unfinished()).isEmpty();
  }

  @Test
  void R6_olderSavepointIsDetectedAndAcceptedOnlyOnRequest() throws Exception {
    MemoryConnector connector = new MemoryConnector(storeName);
    JobClient job = start(2, null, connector, SinkOptions.defaults());
    waitForCommits(4);
    Path savepoint = stopWithSavepoint(job, false);
    JobClient next = start(2, savepoint, connector, SinkOptions.defaults());
    waitForCommits(4);
    stopWithSavepoint(next, false);
    int visible = store.visible().size();

    StreamExecutionEnvironment environment = SlowNumbers.environment(2, savepoint);
    environment.configure(noRestart());
    JobClient rewound = run(environment, connector, SinkOptions.defaults());
    assertThatThrownBy(() -> finish(rewound))
        .hasStackTraceContaining(RewindDetectedException.class.getName())
        .hasStackTraceContaining("would publish its records twice");
    assertThat(store.visible()).hasSize(visible);

    finish(
        start(
            2, savepoint, connector, SinkOptions.defaults().withRewindPolicy(RewindPolicy.ACCEPT)));
    assertThat(store.visible()).hasSizeGreaterThan(RECORDS);
  }

  private static Configuration noRestart() {
    Configuration none = new Configuration();
    none.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    return none;
  }

  @Test
  void S5_anotherSinkNameOnOldStateIsRefused() throws Exception {
    MemoryConnector connector = new MemoryConnector(storeName);
    JobClient job = start(2, null, connector, SinkOptions.defaults());
    waitForCommits(2);
    Path savepoint = stopWithSavepoint(job, false);
    StreamExecutionEnvironment environment = SlowNumbers.environment(2, savepoint);
    environment.configure(noRestart());
    addSink(SlowNumbers.upTo(environment, RECORDS), "payments", connector, SinkOptions.defaults());
    assertThatThrownBy(environment::execute).hasStackTraceContaining("that of sink 'orders'");
  }
}
