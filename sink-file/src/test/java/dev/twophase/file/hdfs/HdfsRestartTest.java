package dev.twophase.file.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.file.ScriptedStorage;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.internal.engine.CommitEngine.Settlement;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that stop and come back while files are written and published. */
@Tag("one-flink-line")
class HdfsRestartTest extends OnHdfs {

  private static final int FILES = 300;

  @Test
  void C6_aNameNodeThatRestartsInMidCommitLosesNothingAndDoublesNothing() throws Exception {
    String[] records =
        IntStream.range(0, FILES).mapToObj(i -> "b" + i % 10 + ":" + i).toArray(String[]::new);
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), "orders")) {
      prepared = writer.prepare(1, records);
    }
    CountDownLatch someAreMoved = new CountDownLatch(FILES / 3);
    TransactionalFileSink<String> watched =
        Sinks.on(
            ScriptedStorage.following(
                uri -> HadoopStorages.open(uri, Map.of("dfs.replication", "1")),
                ScriptedStorage.Script.after(
                    call -> {
                      if (call.startsWith("publish")) {
                        someAreMoved.countDown();
                      }
                    })),
            sink().ioThreads(4));
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(watched.buildConnector(), "orders")) {
      Future<Settlement> commit = executor.submit(() -> Patience.commit(committer, prepared));
      assertThat(someAreMoved.await(60, TimeUnit.SECONDS)).isTrue();

      hdfs.cluster.restartNameNode();

      assertThat(commit.get(120, TimeUnit.SECONDS))
          .isIn(Settlement.COMMITTED, Settlement.ALREADY_COMMITTED);
    } finally {
      executor.shutdownNow();
    }
    assertThat(hdfs.lines(directory)).containsExactlyInAnyOrder(records);
    assertThat(hdfs.visible(directory)).hasSize(FILES);
    assertThat(hdfs.hidden(directory)).isEmpty();
  }

  @Test
  void W2_whatIsPreparedOutlivesEveryServer() throws Exception {
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), "orders")) {
      prepared = writer.prepare(1, "a:1", "b:2");
    }
    DataNodeProperties dataNode = hdfs.cluster.stopDataNode(0);
    hdfs.cluster.shutdownNameNode(0);
    hdfs.cluster.restartNameNode(0, false);
    hdfs.cluster.restartDataNode(dataNode, true);
    hdfs.cluster.waitActive();

    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(sink().buildConnector(), "orders")) {
      assertThat(Patience.commit(committer, prepared)).isEqualTo(Settlement.COMMITTED);
    }
    assertThat(hdfs.lines(directory)).containsExactly("a:1", "b:2");
  }

  @Test
  void W3_withoutADataNodeNothingIsPreparedWhetherOrNotTheFileWasStartedBefore() throws Exception {
    CountDownLatch hasStarted = new CountDownLatch(1);
    TransactionalFileSink<String> watched =
        Sinks.on(
            ScriptedStorage.following(
                uri -> HadoopStorages.open(uri, Map.of("dfs.replication", "1")),
                ScriptedStorage.Script.after(
                    call -> {
                      if (call.endsWith(" start")) {
                        hasStarted.countDown();
                      }
                    })),
            TransactionalFileSink.forLines(directory).name("orders"));
    try (DrivenConnector<String, ?, ?> started = Sinks.writer(watched.buildConnector(), "orders")) {
      Object before = writtenUntil(hasStarted, started);
      DataNodeProperties dataNode = hdfs.cluster.stopDataNode(0);
      try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), "orders")) {
        assertThat(prepares(writer, writer.begin(0, "a:1"))).isFalse();
        assertThat(prepares(started, before)).isFalse();
      } finally {
        hdfs.cluster.restartDataNode(dataNode, true);
        hdfs.cluster.waitActive();
      }
    }
    assertThat(hdfs.visible(directory)).isEmpty();
  }

  /** Block recovery needs the DataNode: until it is back nobody can tell what the file holds. */
  @Test
  @Tag("nightly")
  void C7_aLeaseThatCannotBeTakenAwayYetIsAnUnknownOutcomeAndNoLoss() throws Exception {
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), "orders")) {
      prepared = writer.prepare(1, "a:1");
    }
    try (FileSystem zombies = FileSystem.newInstance(hdfs.fileSystem().getConf());
        DrivenConnector<String, ?, ?> committer =
            Sinks.committer(sink().buildConnector(), "orders")) {
      Path staged = new Path(directory + "/" + hdfs.hidden(directory).get(0));
      FSDataOutputStream zombie = zombies.append(staged);
      zombie.writeBytes("half a line");
      DataNodeProperties dataNode = hdfs.cluster.stopDataNode(0);
      try {
        assertThatThrownBy(() -> committer.commit(prepared))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("The lease of " + staged + " is still being recovered");
        assertThat(hdfs.visible(directory)).isEmpty();
      } finally {
        hdfs.cluster.restartDataNode(dataNode, true);
        hdfs.cluster.waitActive();
      }

      assertThat(Patience.commit(committer, prepared)).isEqualTo(Settlement.COMMITTED);
    }
    assertThat(hdfs.lines(directory)).containsExactly("a:1");
  }

  private static <T> T writtenUntil(CountDownLatch hasStarted, DrivenConnector<String, T, ?> writer)
      throws Exception {
    T transaction = writer.begin(0);
    while (hasStarted.getCount() > 0) {
      writer.write(transaction, "a:1");
      // A file is started with its second record, fourth, eighth: each a little later.
      hasStarted.await(1, TimeUnit.MILLISECONDS);
    }
    return transaction;
  }

  @SuppressWarnings("unchecked")
  private static <T> boolean prepares(DrivenConnector<String, T, ?> writer, Object open) {
    try {
      return writer.preCommit(0, (T) open).isPresent();
    } catch (Exception refused) {
      return false;
    }
  }

  private TransactionalFileSink<String> sink() {
    return TransactionalFileSink.forLines(directory)
        .name("orders")
        .rollAtRecords(1)
        .hadoopOption("dfs.replication", "1")
        .bucketAssigner(new Sinks.BeforeColon());
  }
}
