package dev.twophase.file.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.file.ScriptedStorage;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.internal.engine.CommitEngine.Settlement;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two NameNodes that share a journal, of which the active one dies in the middle of a commit. */
@Tag("nightly")
@Tag("one-flink-line")
class HdfsFailoverTest {

  private static final int FILES = 300;
  private static final String SERVICE = "ha-service";

  @TempDir Path data;

  @Test
  void C6_aFailoverInMidCommitLosesNothingAndDoublesNothing() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, data.toString());
    configuration.setInt("dfs.replication", 1);
    configuration.setLong("dfs.namenode.resource.du.reserved", 0);
    // The standby is behind the journal by at most so much.
    configuration.setInt("dfs.ha.tail-edits.period", 1);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(configuration)
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(1)
            .build()) {
      cluster.waitActive();
      cluster.transitionToActive(0);
      Configuration client = new Configuration(configuration);
      HATestUtil.setFailoverConfigurations(cluster, client, SERVICE);
      commitThroughFailover(cluster, client);
    }
  }

  private static void commitThroughFailover(MiniDFSCluster cluster, Configuration client)
      throws Exception {
    Map<String, String> options = new HashMap<>();
    client.forEach(
        entry -> {
          if (entry.getKey().startsWith("dfs.") && !entry.getKey().startsWith("dfs.namenode.n")) {
            options.put(entry.getKey(), entry.getValue());
          }
        });
    URI directory = URI.create("hdfs://" + SERVICE + "/orders");
    String[] records =
        IntStream.range(0, FILES).mapToObj(i -> "b" + i % 10 + ":" + i).toArray(String[]::new);
    CountDownLatch someAreMoved = new CountDownLatch(FILES / 3);
    TransactionalFileSink<String> sink =
        Sinks.on(
            ScriptedStorage.following(
                uri -> HadoopStorages.open(uri, options), counting(someAreMoved)),
            TransactionalFileSink.forLines(directory)
                .name("orders")
                .rollAtRecords(1)
                .ioThreads(4)
                .bucketAssigner(new Sinks.BeforeColon()));
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), "orders")) {
      prepared = writer.prepare(1, records);
    }
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(sink.buildConnector(), "orders")) {
      Future<Settlement> commit = executor.submit(() -> Patience.commit(committer, prepared));
      assertThat(someAreMoved.await(60, TimeUnit.SECONDS)).isTrue();

      cluster.shutdownNameNode(0);
      cluster.transitionToActive(1);

      assertThat(commit.get(180, TimeUnit.SECONDS))
          .isIn(Settlement.COMMITTED, Settlement.ALREADY_COMMITTED);
      assertThat(Patience.commit(committer, prepared)).isEqualTo(Settlement.ALREADY_COMMITTED);
    } finally {
      executor.shutdownNow();
    }
    assertThat(lines(client, directory)).containsExactlyInAnyOrder(records);
  }

  private static ScriptedStorage.Script counting(CountDownLatch moved) {
    return ScriptedStorage.Script.after(
        call -> {
          if (call.startsWith("publish")) {
            moved.countDown();
          }
        });
  }

  private static List<String> lines(Configuration client, URI directory) throws IOException {
    List<String> lines = new ArrayList<>();
    try (FileSystem fileSystem = FileSystem.newInstance(directory, client)) {
      RemoteIterator<LocatedFileStatus> files =
          fileSystem.listFiles(new org.apache.hadoop.fs.Path(directory), true);
      while (files.hasNext()) {
        try (var in = fileSystem.open(files.next().getPath())) {
          lines.addAll(IOUtils.readLines(in, StandardCharsets.UTF_8));
        }
      }
    }
    return lines;
  }
}
