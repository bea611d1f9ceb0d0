package dev.twophase.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.policy.LossPolicy;
import dev.twophase.policy.SinkOptions;
import dev.twophase.store.MemoryConnector;
import dev.twophase.store.MemoryStore;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/** What an operator of a job sees: FLIP-33's metrics, and the protocol's own. */
class TransactionalSinkMetricsTest {

  private static final InMemoryReporter REPORTER = InMemoryReporter.createWithRetainedMetrics();

  /** Has one unknown outcome, one committed before and one lost, of four transactions or more. */
  private static final class Eventful extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private static final Map<TransactionId, Integer> ASKED = new ConcurrentHashMap<>();

    Eventful() {
      super("metrics");
    }

    @Override
    public void write(TransactionId transaction, String record, WriteContext writeContext) {
      super.write(transaction, record, writeContext);
      context.bytesSent().inc(record.length());
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      ASKED.merge(id, 1, Integer::sum);
      if (ASKED.size() == 1) {
        if (ASKED.get(id) == 1) {
          throw new IOException("reply lost");
        }
      } else if (ASKED.size() == 2) {
        super.commit(id, handle);
        return super.commit(id, handle);
      } else if (ASKED.size() == 3) {
        return CommitOutcome.lost("planned");
      }
      return super.commit(id, handle);
    }
  }

  private JobID job;

  private Metric metric(String name) {
    Map<String, Metric> found = REPORTER.findMetrics(job, name);
    return found.entrySet().stream()
        .filter(each -> each.getKey().contains("Sink:"))
        .filter(each -> each.getKey().endsWith("." + name))
        .map(Map.Entry::getValue)
        .max(Comparator.comparingLong(TransactionalSinkMetricsTest::value))
        .orElseThrow(() -> new AssertionError("no metric " + name + " among " + found.keySet()));
  }

  private static long value(Metric metric) {
    return metric instanceof Counter counter
        ? counter.getCount()
        : ((Number) ((Gauge<?>) metric).getValue()).longValue();
  }

  @Test
  void metricsTellWhatTheSinkDid() throws Exception {
    MemoryStore store = MemoryStore.named("metrics");
    store.begin(new TransactionId("orders", 0, 0, UUID.randomUUID()));
    StreamExecutionEnvironment environment = SlowNumbers.environment(1, null);
    SlowNumbers.upTo(environment, 10_000)
        .sinkTo(
            TransactionalSink.of(
                "orders",
                new Eventful(),
                SinkOptions.defaults().withLossPolicy(LossPolicy.quarantine(lost -> {}))))
        .uid("sink");
    JobGraph graph = environment.getStreamGraph().getJobGraph();
    job = graph.getJobID();
    // The cluster must outlive the job: when it ends, its reporters forget everything.
    try (MiniCluster cluster = new MiniCluster(clusterConfiguration())) {
      cluster.start();
      cluster.executeJobBlocking(graph);
      assertMetrics();
    }
    assertThat(store.unfinished()).hasSize(1);
  }

  private static MiniClusterConfiguration clusterConfiguration() {
    return new MiniClusterConfiguration.Builder()
        .setNumTaskManagers(1)
        .setNumSlotsPerTaskManager(2)
        .setConfiguration(REPORTER.addToConfiguration(new Configuration()))
        .withRandomPorts()
        .build();
  }

  private void assertMetrics() {

    long bytes = SlowNumbers.expected(10_000).stream().mapToLong(String::length).sum();
    assertThat(value(metric("numRecordsSend"))).isEqualTo(10_000);
    assertThat(value(metric("numRecordsOut"))).isEqualTo(10_000);
    assertThat(value(metric("numBytesSend"))).isEqualTo(bytes);
    assertThat(value(metric("numRecordsSendErrors"))).isZero();
    assertThat(value(metric("currentSendTime"))).isNotNegative();
    assertThat(value(metric("openTransactions"))).isZero();
    assertThat(value(metric("preparedTransactions"))).isZero();
    assertThat(value(metric("commitLatency"))).isNotNegative();
    assertThat(value(metric("commitRetries"))).isEqualTo(1);
    assertThat(value(metric("transactionsAlreadyCommitted"))).isEqualTo(1);
    assertThat(value(metric("transactionsLost"))).isEqualTo(1);
    assertThat(value(metric("lingeringTransactionsAborted"))).isEqualTo(1);
  }
}
