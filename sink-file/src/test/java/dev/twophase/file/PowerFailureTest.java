package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A power failure at every call to a disk that keeps only what was synced. */
@Tag("one-flink-line")
class PowerFailureTest {

  private static final String MARKER = "/_SUCCESS";
  private static final String[] RECORDS = {"a/b:1", "c:2", "c:3"};

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void W2_whatIsPreparedSurvivesAPowerFailureAtAnyCallOfItsCommit(boolean manifests)
      throws Exception {
    boolean cutOff = true;
    int call = 0;
    for (; cutOff; call++) {
      SimulatedDisk disk = new SimulatedDisk();
      Prepared prepared = prepare(disk, manifests);
      disk.powerFailure();
      cutOff = commit(disk, manifests, prepared, call).isEmpty();
      if (!cutOff) {
        // The commit has returned: nobody will ever commit again.
        disk.powerFailure();
        assertThat(visibleLines(disk)).as("after call %s", call).containsExactly(RECORDS);
        continue;
      }
      disk.powerFailure();

      assertThat(commit(disk, manifests, prepared, Integer.MAX_VALUE)).isPresent();
      assertThat(stagedFiles(disk)).as("after call %s", call).isEmpty();

      // Staged names may come back, since their removal is not synced; they do no harm.
      disk.powerFailure();
      assertThat(visibleLines(disk)).as("after call %s", call).containsExactly(RECORDS);
    }
    assertThat(call).as("calls of one commit").isGreaterThan(10);
  }

  @Test
  void W2_aPrepareThatDidNotReturnLeavesNothingVisible() throws Exception {
    int returned = 0;
    for (int call = 0; call < 40; call++) {
      SimulatedDisk disk = new SimulatedDisk();
      Optional<Prepared> prepared = prepareCutOff(disk, call);
      disk.powerFailure();

      assertThat(visibleLines(disk)).isEmpty();
      if (prepared.isPresent()) {
        returned++;
        assertThat(commit(disk, false, prepared.get(), Integer.MAX_VALUE)).isPresent();
        assertThat(visibleLines(disk)).containsExactly(RECORDS);
      }
    }
    assertThat(returned).isBetween(1, 39);
  }

  @Test
  void V1_noMarkerOutlivesAPowerFailureBeforeTheDataOfItsBucketAndInTheEndAllDo() throws Exception {
    int withMarker = 0;
    boolean cutOff = true;
    for (int call = 0; cutOff; call++) {
      SimulatedDisk disk = new SimulatedDisk();
      List<Prepared> prepared = prepareUpToTheEndOfBuckets(disk);
      disk.powerFailure();
      cutOff = !commitAll(disk, prepared, call);
      disk.powerFailure();
      if (!markers(disk).isEmpty()) {
        withMarker++;
        assertThat(visibleLines(disk)).as("after call %s", call).containsExactly(RECORDS);
      }

      assertThat(commitAll(disk, prepared, Integer.MAX_VALUE)).isTrue();
      disk.powerFailure();
      assertThat(visibleLines(disk)).as("after call %s", call).containsExactly(RECORDS);
      assertThat(markers(disk)).as("after call %s", call).containsExactly("a/b", "c");
    }
    assertThat(withMarker).as("cut off behind a marker").isGreaterThan(1);
  }

  private static List<Prepared> prepareUpToTheEndOfBuckets(SimulatedDisk disk) throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(marked(disk, call -> {}), "orders", 0, 1)) {
      Prepared records = writer.prepare(0, RECORDS);
      writer.connector().watermark(1);
      return List.of(records, writer.prepare(1));
    }
  }

  private static boolean commitAll(SimulatedDisk disk, List<Prepared> prepared, int call)
      throws Exception {
    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(marked(disk, new Cut(call)), "orders")) {
      for (int i = 0; i < prepared.size(); i++) {
        committer.commit(prepared.get(i), i + 1);
      }
      return true;
    } catch (IOException cutOff) {
      return false;
    }
  }

  /** The buckets that have one. */
  private static List<String> markers(SimulatedDisk disk) {
    return disk.files().keySet().stream()
        .filter(PowerFailureTest::isMarker)
        .map(path -> path.substring(0, path.length() - MARKER.length()))
        .toList();
  }

  private static boolean isMarker(String path) {
    return path.endsWith(MARKER) && !path.startsWith(".");
  }

  @Test
  void theDiskForgetsWhatWasNotSynced() throws Exception {
    SimulatedDisk disk = new SimulatedDisk();
    disk.makeDirectories("a");
    disk.syncDirectory("");
    try (var file = disk.create("a/synced-without-name")) {
      file.write(new byte[] {'x'}, 0, 1);
      file.sync();
    }
    assertThat(disk.afterPowerFailure().files()).isEmpty();

    disk.syncDirectory("a");
    try (var file = disk.create("a/named-without-sync")) {
      file.write(new byte[] {'y'}, 0, 1);
    }
    disk.syncDirectory("a");
    assertThat(disk.afterPowerFailure().files())
        .isEqualTo(Map.of("a/synced-without-name", "x", "a/named-without-sync", ""));
  }

  private static Prepared prepare(SimulatedDisk disk, boolean manifests) throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(sink(disk, manifests, call -> {}), "orders")) {
      return writer.prepare(0, RECORDS);
    }
  }

  private static Optional<Prepared> prepareCutOff(SimulatedDisk disk, int call) throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(sink(disk, false, new Cut(call)), "orders")) {
      return Optional.of(writer.prepare(0, RECORDS));
    } catch (IOException cutOff) {
      return Optional.empty();
    }
  }

  /** Empty if the power fails before the given call. */
  private static Optional<CommitOutcome> commit(
      SimulatedDisk disk, boolean manifests, Prepared prepared, int call) throws Exception {
    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(sink(disk, manifests, new Cut(call)), "orders")) {
      return Optional.of(committer.commit(prepared, 1));
    } catch (IOException cutOff) {
      return Optional.empty();
    }
  }

  private static List<String> visibleLines(SimulatedDisk disk) {
    return disk.files().entrySet().stream()
        .filter(file -> !file.getKey().startsWith(".") && !file.getKey().startsWith("_"))
        .filter(file -> !isMarker(file.getKey()))
        .flatMap(file -> Arrays.stream(file.getValue().split("\n")))
        .sorted()
        .toList();
  }

  private static List<String> stagedFiles(SimulatedDisk disk) {
    return disk.files().keySet().stream().filter(path -> path.startsWith(".")).toList();
  }

  private static TransactionalConnector<String, ?, ?> sink(
      SimulatedDisk disk, boolean manifests, ScriptedStorage.Script script) {
    TransactionalFileSink<String> sink = configured(disk, script);
    return (manifests ? sink.manifests() : sink).buildConnector();
  }

  /** Buckets are complete from the first watermark on. */
  private static TransactionalConnector<String, ?, ?> marked(
      SimulatedDisk disk, ScriptedStorage.Script script) {
    return configured(disk, script).marker((bucket, watermark) -> watermark >= 1).buildConnector();
  }

  private static TransactionalFileSink<String> configured(
      SimulatedDisk disk, ScriptedStorage.Script script) {
    return TransactionalFileSink.forLines(URI.create("file:/simulated"))
        .name("orders")
        .ioThreads(1)
        .storageFactory(ScriptedStorage.following(disk, script))
        .bucketAssigner(new Sinks.BeforeColon());
  }

  /** From the given call on nothing gets through any more. */
  private static final class Cut implements ScriptedStorage.Script {
    private final int at;
    private int calls;

    Cut(int at) {
      this.at = at;
    }

    @Override
    public void before(String call) throws IOException {
      if (calls++ >= at) {
        throw new IOException("the power failed before " + call);
      }
    }
  }
}
