package dev.twophase.file.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.file.ScriptedStorage;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What HDFS does below the sink, and what may lie between the two. */
@Tag("one-flink-line")
@Timeout(120)
class HdfsSurroundingsTest {

  private static final int BLOCK = 1 << 20;
  private static final int BLOCKS = 3;
  private static final int BUCKETS = 150;
  private static final int LINES = 20;
  private static final int MOST_STARTED = 16;

  private static final int PARALLELISM = 64;
  private static final long PAUSE_NANOS = 5_000_000;

  private static MiniHdfs hdfs;

  @BeforeAll
  static void start() throws Exception {
    hdfs = MiniHdfs.shared();
  }

  /** {@code hsync} would sync the last one alone. */
  @Test
  void W2_everyBlockOfAPreparedFileIsSyncedToTheDataNodesDisk() throws Exception {
    URI directory = hdfs.directory("synced");
    String record = "x".repeat(BLOCKS * BLOCK - 1);
    long before = syncs();
    hdfs.write(directory, "plain", record);
    assertThat(syncs()).as("a file that nobody syncs").isEqualTo(before);

    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(directory)
            .name("orders")
            .hadoopOption("dfs.replication", "1")
            .hadoopOption("dfs.blocksize", Integer.toString(BLOCK))
            .buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders")) {
      writer.prepare(1, record);
    }
    assertThat(syncs() - before).isGreaterThanOrEqualTo(BLOCKS);
  }

  /** The stream of webhdfs has no hsync: the DataNode syncs, as it is told at the creation. */
  @Test
  void W2_throughWebhdfsTooAPreparedFileIsSynced() throws Exception {
    URI directory = hdfs.directory("web");
    InetSocketAddress web = hdfs.cluster.getNameNode().getHttpAddress();
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(
                URI.create("webhdfs://localhost:" + web.getPort() + directory.getPath()))
            .name("orders")
            .buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders");
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink, "orders")) {
      writer.preflight();
      long before = syncs();
      Prepared prepared = writer.prepare(1, "1");
      assertThat(syncs()).isGreaterThan(before);
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(hdfs.lines(directory)).containsExactly("1");
  }

  /** A second is nothing for a busy DataNode. */
  @Test
  void W2_aDataNodeThatReportsABlockLateIsWaitedFor() throws Exception {
    URI directory = hdfs.directory("late");
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(directory)
            .name("orders")
            .hadoopOption("dfs.replication", "1")
            .buildConnector();
    DataNode dataNode = hdfs.cluster.getDataNodes().get(0);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders")) {
      DataNodeTestUtils.pauseIBR(dataNode);
      Future<Prepared> prepared = executor.submit(() -> writer.prepare(1, "1"));
      assertThatThrownBy(() -> prepared.get(1, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);

      DataNodeTestUtils.resumeIBR(dataNode);
      assertThat(writer.commit(prepared.get(60, TimeUnit.SECONDS)))
          .isEqualTo(CommitOutcome.committed());
    } finally {
      DataNodeTestUtils.resumeIBR(dataNode);
      executor.shutdownNow();
    }
    assertThat(hdfs.lines(directory)).containsExactly("1");
  }

  /** Each holds a connection and threads of its DataNodes. */
  @Test
  void W2_someFilesAreStartedBeforeTheBarrierEachOnceAndAllAreWhole() throws Exception {
    URI directory = hdfs.directory("started");
    List<String> starts = Collections.synchronizedList(new ArrayList<>());
    TransactionalFileSink<String> watched =
        Sinks.on(
            ScriptedStorage.following(
                uri -> HadoopStorages.open(uri, Map.of("dfs.replication", "1")),
                call -> {
                  if (call.endsWith(" start")) {
                    starts.add(call);
                  }
                }),
            TransactionalFileSink.forLines(directory)
                .name("orders")
                .bucketAssigner(new Sinks.BeforeColon()));
    try (DrivenConnector<String, ?, ?> sink =
        Sinks.writer(watched.buildConnector(), "orders", 0, PARALLELISM)) {
      assertThat(sink.commit(linesInManyBuckets(sink, directory, starts)))
          .isEqualTo(CommitOutcome.committed());
    }
    assertThat(starts).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(MOST_STARTED);
    assertThat(hdfs.visible(directory)).hasSize(BUCKETS);
    assertThat(hdfs.lines(directory)).hasSize(BUCKETS * LINES).doesNotHaveDuplicates();
  }

  private static <T> Prepared linesInManyBuckets(
      DrivenConnector<String, T, ?> sink, URI directory, List<String> starts) throws Exception {
    T transaction = sink.begin(0);
    for (int line = 0; line < LINES; line++) {
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        sink.write(transaction, bucket + ":" + line);
      }
      if (line == 0) {
        while (hdfs.hidden(directory).size() < BUCKETS) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
    while (starts.isEmpty()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return sink.preCommit(0, transaction).orElseThrow();
  }

  @Test
  void C2_throughAMountTableCommittingTwiceIsOneCommit() throws Exception {
    URI mounted = hdfs.directory("mounted");
    hdfs.fileSystem().mkdirs(new Path(mounted));
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(URI.create("viewfs://tables/data/orders"))
            .name("orders")
            .hadoopOption("fs.viewfs.mounttable.tables.link./data", mounted.toString())
            .hadoopOption("dfs.replication", "1")
            .bucketAssigner(new Sinks.BeforeColon())
            .buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders");
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink, "orders")) {
      writer.preflight();
      Prepared prepared = writer.prepare(1, "a:1", "b:2");
      assertThat(hdfs.lines(mounted)).isEmpty();

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(hdfs.lines(mounted)).containsExactly("a:1", "b:2");
  }

  /** Not through the MBean, which shows values of up to ten seconds ago. */
  private static long syncs() {
    String node = hdfs.cluster.getDataNodes().get(0).getMetrics().name();
    MetricsCollectorImpl found = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(node).getMetrics(found, true);
    for (MetricsRecord record : found.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        if (metric.name().equals("FsyncCount")) {
          return metric.value().longValue();
        }
      }
    }
    throw new AssertionError("No count of syncs in the metrics of " + node);
  }
}
