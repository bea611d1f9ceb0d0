package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.store.Bank;
import dev.twophase.store.MemoryConnector;
import dev.twophase.store.MemoryStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A job on Flink's TwoPhaseCommitSinkFunction that was stopped with a savepoint on Flink 1.20, so
 * that nothing of it is uncommitted: which ways lead on from there. The savepoint is checked in,
 * with the number of the last record that was committed.
 */
@Timeout(120)
class CrossingFlinkLinesTest {

  private static final int RECORDS = 20_000;

  private static final String FIXTURE = "/savepoints/1.20-two-phase-commit-sink-function";

  private static JobClient start(Path restoreFrom, Consumer<DataStream<String>> sink)
      throws Exception {
    StreamExecutionEnvironment environment = SlowNumbers.environment(2, restoreFrom);
    Configuration more = new Configuration();
    more.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    more.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    environment.configure(more);
    sink.accept(SlowNumbers.upTo(environment, RECORDS));
    return environment.executeAsync();
  }

  private static void finish(Path restoreFrom, Consumer<DataStream<String>> sink) throws Exception {
    start(restoreFrom, sink).getJobExecutionResult().get(60, TimeUnit.SECONDS);
  }

  private static Path fixture() throws Exception {
    return Path.of(
        Objects.requireNonNull(
                CrossingFlinkLinesTest.class.getResource(FIXTURE), "fixture is missing")
            .toURI());
  }

  private static List<String> rest() throws Exception {
    int committed = Integer.parseInt(Files.readString(fixture().resolve("committed")).strip());
    return SlowNumbers.expected(RECORDS).subList(committed, RECORDS);
  }

  @Test
  void newUidCrossesToTheConnectorOnAnyLine() throws Exception {
    finish(
        fixture(),
        stream ->
            stream
                .sinkTo(TransactionalSink.of("orders", new MemoryConnector("crossing-v2")))
                .uid("orders-sink"));
    assertThat(MemoryStore.named("crossing-v2").visible())
        .containsExactlyInAnyOrderElementsOf(rest());

    finish(
        fixture(),
        stream ->
            TransactionalSinkFunction.addTo(
                stream,
                "orders-sink",
                TransactionalSinkFunction.of("orders", new MemoryConnector("crossing-function"))));
    assertThat(MemoryStore.named("crossing-function").visible())
        .containsExactlyInAnyOrderElementsOf(rest());
  }

  @Test
  void S1_oldUidIsReadOnTheSameLineAndStopsTheJobOnAnother() throws Exception {
    Consumer<DataStream<String>> hardened =
        stream -> stream.addSink(new HardenedBankSink("crossing", null)).uid("sink");
    if (onFlink120()) {
      finish(fixture(), hardened);
      assertThat(Bank.named("crossing").visible()).containsExactlyInAnyOrderElementsOf(rest());
    } else {
      assertThatThrownBy(() -> finish(fixture(), hardened))
          .hasStackTraceContaining("TwoPhaseCommitSinkFunction$StateSerializerSnapshot");
      assertThat(Bank.named("crossing").visible()).isEmpty();
    }
  }

  private static boolean onFlink120() {
    return !FlinkTwoPhaseCommitSinkFunction.class
        .getSuperclass()
        .getPackageName()
        .endsWith("legacy");
  }

  /** Took the fixture: run with the class path of the Flink 1.20 line and a directory. */
  public static void main(String[] arguments) throws Exception {
    JobClient job =
        start(null, stream -> stream.addSink(new PlainBankSink("fixture", null)).uid("sink"));
    Bank bank = Bank.named("fixture");
    while (bank.visible().size() < 500) {
      Thread.onSpinWait();
    }
    String taken =
        job.stopWithSavepoint(
                false, Path.of(arguments[0]).toUri().toString(), SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    int committed = bank.visible().size();
    assertThat(bank.visible()).containsExactlyInAnyOrderElementsOf(SlowNumbers.expected(committed));
    Files.writeString(Path.of(URI.create(taken)).resolve("committed"), committed + "\n");
  }
}
