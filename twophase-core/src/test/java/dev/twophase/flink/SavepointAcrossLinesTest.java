package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import dev.twophase.policy.SinkOptions;
import dev.twophase.store.MemoryStore;
import dev.twophase.store.SelfContainedConnector;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/**
 * S1: a savepoint taken on Flink 1.20 with prepared transactions in it restores here and commits
 * them. The savepoint is checked in; it was taken before any checkpoint, so all its records are in
 * prepared transactions and in no store.
 */
class SavepointAcrossLinesTest {

  private static final int RECORDS = 200_000;

  private static JobClient start(String store, Path restoreFrom, boolean checkpoints)
      throws Exception {
    StreamExecutionEnvironment environment = SlowNumbers.environment(2, restoreFrom);
    environment.enableCheckpointing(checkpoints ? 50 : 3_600_000);
    environment
        .fromSequence(1, RECORDS)
        .setParallelism(1)
        .uid("numbers")
        .map(number -> "n" + number)
        .returns(String.class)
        .setParallelism(1)
        .uid("map")
        .rebalance()
        .sinkTo(
            TransactionalSink.of(
                "orders", new SelfContainedConnector(store), SinkOptions.defaults()))
        .uid("sink");
    return environment.executeAsync();
  }

  @Test
  void S1_savepointOf120WithPreparedTransactionsRestoresAndCommits() throws Exception {
    Path fixture =
        Path.of(
            Objects.requireNonNull(
                    getClass().getResource("/savepoints/1.20-sink-v2"), "fixture is missing")
                .toURI());
    start("across-lines", fixture, true).getJobExecutionResult().get(60, TimeUnit.SECONDS);
    MemoryStore store = MemoryStore.named("across-lines");
    assertThat(store.visible()).containsExactlyInAnyOrderElementsOf(SlowNumbers.expected(RECORDS));
    List<TransactionId> fromSavepoint =
        store.committed().stream().filter(id -> id.since() == 0).toList();
    assertThat(fromSavepoint).extracting(TransactionId::subtask).containsExactly(0, 1);
  }

  /** Took the fixture: run with the class path of the Flink 1.20 line and a directory. */
  public static void main(String[] arguments) throws Exception {
    JobClient job = start("fixture", null, false);
    MemoryStore store = MemoryStore.named("fixture");
    while (store.unfinished().size() < 2) {
      Thread.onSpinWait();
    }
    URI directory = Path.of(arguments[0]).toUri();
    String taken =
        job.triggerSavepoint(directory.toString(), SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    job.cancel().get(60, TimeUnit.SECONDS);
    assertThat(store.visible()).isEmpty();
    assertThat(taken).isNotBlank();
  }
}
