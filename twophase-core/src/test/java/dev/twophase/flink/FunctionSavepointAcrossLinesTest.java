package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.store.MemoryStore;
import dev.twophase.store.SelfContainedConnector;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S1 through the older API: the checked-in savepoint was taken on Flink 1.20, before any
 * checkpoint, so that all its records are in prepared transactions and in no store.
 */
class FunctionSavepointAcrossLinesTest {

  private static final int RECORDS = 20_000;

  private static JobClient start(
      String store, int parallelism, Path restoreFrom, int checkpointMillis) throws Exception {
    return start(new SelfContainedConnector(store), parallelism, restoreFrom, checkpointMillis);
  }

  private static JobClient start(
      SelfContainedConnector connector, int parallelism, Path restoreFrom, int checkpointMillis)
      throws Exception {
    StreamExecutionEnvironment environment = SlowNumbers.environment(parallelism, restoreFrom);
    environment.enableCheckpointing(checkpointMillis);
    TransactionalSinkFunction.addTo(
        SlowNumbers.upTo(environment, RECORDS),
        "sink",
        TransactionalSinkFunction.of("orders", connector));
    return environment.executeAsync();
  }

  private static Path fixture() throws Exception {
    return Path.of(
        Objects.requireNonNull(
                FunctionSavepointAcrossLinesTest.class.getResource("/savepoints/1.20-function"),
                "fixture is missing")
            .toURI());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void S1_R3_savepointOf120RestoresAndCommitsAtAnyParallelism(int parallelism) throws Exception {
    String name = "function-across-lines-" + parallelism;
    start(name, parallelism, fixture(), 50).getJobExecutionResult().get(60, TimeUnit.SECONDS);
    MemoryStore store = MemoryStore.named(name);
    assertThat(store.visible()).containsExactlyInAnyOrderElementsOf(SlowNumbers.expected(RECORDS));
    List<TransactionId> fromSavepoint =
        store.committed().stream().filter(id -> id.since() == 0).toList();
    assertThat(fromSavepoint).extracting(TransactionId::subtask).containsExactly(0, 1);
  }

  @Test
  void R4_theSameSavepointRestoredTwiceCommitsOnce() throws Exception {
    String name = "function-across-lines-twice";
    JobClient first = start(new Halted(name), 2, fixture(), 3_600_000);
    MemoryStore store = MemoryStore.named(name);
    while (store.committed().size() < 2) {
      Thread.onSpinWait();
    }
    first.cancel().get(60, TimeUnit.SECONDS);
    start(name, 2, fixture(), 50).getJobExecutionResult().get(60, TimeUnit.SECONDS);
    assertThat(store.visible()).containsExactlyInAnyOrderElementsOf(SlowNumbers.expected(RECORDS));
    assertThat(store.unfinished()).isEmpty();
  }

  /** Took the fixture: run with the class path of the Flink 1.20 line and a directory. */
  public static void main(String[] arguments) throws Exception {
    JobClient job = start("fixture", 2, null, 3_600_000);
    MemoryStore store = MemoryStore.named("fixture");
    while (store.unfinished().size() < 2) {
      Thread.onSpinWait();
    }
    String taken =
        job.triggerSavepoint(
                Path.of(arguments[0]).toUri().toString(), SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    job.cancel().get(60, TimeUnit.SECONDS);
    assertThat(store.visible()).isEmpty();
    assertThat(taken).isNotBlank();
  }

  /**
   * Writes no record, ever. On a busy machine a job that writes can reach its end, and publish at
   * its last checkpoint, before it is cancelled: then going back to the savepoint is a rewind.
   */
  private static final class Halted extends SelfContainedConnector {

    private static final long serialVersionUID = 1L;

    Halted(String storeName) {
      super(storeName);
    }

    @Override
    public void write(TransactionId transaction, String record, WriteContext writeContext) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException cancelled) {
        throw new IllegalStateException("cancelled", cancelled);
      }
    }
  }
}
