package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits that stop anywhere, run twice, or meet each other. */
@Tag("one-flink-line")
class CommitCrashTest {

  private static final int RACES = 1_000;

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void C2_aCommitCutOffAtAnyCallIsFinishedByAnotherProcess(boolean afterTheEffect)
      throws Exception {
    boolean cutOff = true;
    int call = 0;
    for (; cutOff; call++) {
      Path directory = Files.createDirectory(root.resolve("call-" + call));
      Prepared prepared = prepare(directory);
      Cut cut = new Cut(call, afterTheEffect);
      cutOff = !commits(directory, cut, prepared);

      CommitOutcome outcome = commit(directory, prepared);

      assertThat(outcome).isIn(CommitOutcome.committed(), CommitOutcome.alreadyCommitted());
      assertThat(Sinks.lines(directory)).containsExactly("a/b:1", "c:2");
      assertThat(Sinks.hidden(directory)).isEmpty();
    }
    assertThat(call).as("calls of one commit").isGreaterThan(10);
  }

  @Test
  void C2_twoMoversOfOneFileMakeOneFileEveryTime() throws Exception {
    Path directory = Files.createDirectory(root.resolve("race"));
    ExecutorService movers = Executors.newFixedThreadPool(2);
    CyclicBarrier start = new CyclicBarrier(2);
    List<CommitOutcome> outcomes = new ArrayList<>();
    try (DrivenConnector<String, ?, ?> writer =
            Sinks.writer(sink(directory).buildConnector(), "orders");
        DrivenConnector<String, ?, ?> one =
            Sinks.committer(sink(directory).buildConnector(), "orders");
        DrivenConnector<String, ?, ?> other =
            Sinks.committer(sink(directory).buildConnector(), "orders")) {
      for (int race = 0; race < RACES; race++) {
        Prepared prepared = writer.prepare(race, "race " + race);
        Future<CommitOutcome> first = movers.submit(mover(start, one, prepared));
        Future<CommitOutcome> second = movers.submit(mover(start, other, prepared));
        outcomes.add(first.get());
        outcomes.add(second.get());
      }
    } finally {
      movers.shutdownNow();
    }

    assertThat(outcomes).containsOnly(CommitOutcome.committed(), CommitOutcome.alreadyCommitted());
    assertThat(Collections.frequency(outcomes, CommitOutcome.committed())).isEqualTo(RACES);
    assertThat(Sinks.lines(directory)).hasSize(RACES).doesNotHaveDuplicates();
    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  @Test
  void W2_directoriesAndTheirParentsAreSyncedBeforeTheStagedNameGoes() throws Exception {
    Path directory = Files.createDirectory(root.resolve("order"));
    Prepared prepared = prepare(directory);
    List<String> calls = new ArrayList<>();

    commits(directory, calls::add, prepared);

    assertThat(calls.stream().filter(call -> call.startsWith("syncDirectory")))
        .containsExactlyInAnyOrder(
            "syncDirectory .twophase/orders.since",
            "syncDirectory .twophase",
            "syncDirectory ",
            "syncDirectory a",
            "syncDirectory a/b",
            "syncDirectory c");
    assertThat(first(calls, "syncDirectory .twophase/orders.since"))
        .as("the mark that R6 relies on is durable before anything can be seen")
        .isBetween(first(calls, "makeDirectories .*since/orders.*"), first(calls, "publish .*"));
    for (String bucket : List.of("a/b", "c")) {
      int moved = first(calls, "publish .*" + bucket + "/part.*");
      int removed = first(calls, "delete .*\\." + (bucket.equals("c") ? "1" : "0"));
      assertThat(first(calls, "syncDirectory " + bucket)).isBetween(moved, removed);
      assertThat(first(calls, "syncDirectory ")).isBetween(moved, removed);
    }
    assertThat(first(calls, "syncDirectory a"))
        .isBetween(first(calls, "publish .*a/b/part.*"), first(calls, "delete .*\\.0"));
  }

  private static int first(List<String> calls, String pattern) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).matches(pattern)) {
        return i;
      }
    }
    throw new AssertionError("No call " + pattern + " in " + calls);
  }

  private static Callable<CommitOutcome> mover(
      CyclicBarrier start, DrivenConnector<String, ?, ?> committer, Prepared prepared) {
    return () -> {
      start.await();
      return committer.commit(prepared);
    };
  }

  private static Prepared prepare(Path directory) throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(sink(directory).buildConnector(), "orders")) {
      return writer.prepare(1, "a/b:1", "c:2");
    }
  }

  private static boolean commits(Path directory, ScriptedStorage.Script script, Prepared prepared)
      throws Exception {
    TransactionalConnector<String, ?, ?> connector =
        sink(directory)
            .ioThreads(1)
            .storageFactory(ScriptedStorage.following(script))
            .buildConnector();
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(connector, "orders")) {
      committer.commit(prepared);
      return true;
    } catch (IOException cutOff) {
      return false;
    }
  }

  private static CommitOutcome commit(Path directory, Prepared prepared) throws Exception {
    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(sink(directory).buildConnector(), "orders")) {
      return committer.commit(prepared);
    }
  }

  private static TransactionalFileSink<String> sink(Path directory) {
    return TransactionalFileSink.forLines(directory)
        .name("orders")
        .bucketAssigner(new Sinks.BeforeColon());
  }

  /** From the given call on nothing gets through any more. */
  private static final class Cut implements ScriptedStorage.Script {
    private final int at;
    private final boolean afterTheEffect;
    private int calls;

    Cut(int at, boolean afterTheEffect) {
      this.at = at;
      this.afterTheEffect = afterTheEffect;
    }

    @Override
    public void before(String call) throws IOException {
      if (calls > at || (calls == at && !afterTheEffect)) {
        throw new IOException("cut off before " + call);
      }
    }

    @Override
    public void after(String call) throws IOException {
      if (calls++ == at) {
        throw new IOException("cut off after " + call);
      }
    }
  }
}
