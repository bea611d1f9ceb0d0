package dev.twophase.kafka.contract;

import dev.twophase.kafka.PassingClients;
import dev.twophase.kafka.internal.client.KafkaClients;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Faults;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.kafka.ListenerSecurity;
import dev.twophase.testkit.proxy.TcpProxy;
import dev.twophase.testkit.proxy.wire.KafkaFramer;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Clients as they are: schedules strike at the requests that pass between them and the broker. What
 * reads and tidies up takes another way to it. Nightly, because faults here are waited for: all
 * schedules take three minutes.
 */
@Tag("nightly")
class WireContractTest extends KafkaSinkContract {

  private static final TcpProxy PROXY = TcpProxy.open(new KafkaFramer());
  private static KafkaCluster cluster;
  private static RunTopics topics;

  @BeforeAll
  static void start() {
    cluster =
        KafkaCluster.builder()
            .advertisedPort(1, PROXY.port())
            .security(ListenerSecurity.SASL_PLAINTEXT)
            .start();
    PROXY.forwardTo(cluster.broker(1).port());
    topics = new RunTopics(cluster.clientProperties(ListenerSecurity.SASL_PLAINTEXT));
  }

  @AfterAll
  static void stop() {
    cluster.close();
    PROXY.close();
  }

  /** Short timeouts: a request that is swallowed is waited for. */
  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup, new OfOneAttempt(setup.namespace(), topic(setup), setup.faults()))
        .setBootstrapServers(cluster.bootstrapServers())
        .setProperty("max.block.ms", "10000")
        .setProperty("request.timeout.ms", "2000")
        .setProperty("delivery.timeout.ms", "10000")
        .setProperty("default.api.timeout.ms", "10000")
        .setProperty("linger.ms", "0")
        .buildSink();
  }

  /**
   * All attempts come through one port, and are told apart by their clients' ids, which name sink
   * and subtask. A dead one's clients must end: the threads of a producer would connect again and
   * repeat its last EndTxn, long after a real process could.
   */
  private record OfOneAttempt(String namespace, String topic, Faults faults)
      implements PassingClients {

    @Override
    public Producer<byte[], byte[]> producer(Properties properties) {
      Producer<byte[], byte[]> producer = KafkaClients.real().producer(properties);
      faults.closeWithAttempt(() -> producer.close(Duration.ZERO));
      return producer;
    }

    @Override
    public Admin admin(Properties properties) {
      // The first that an attempt asks for.
      topics.create(namespace, topic);
      String subtask = properties.getProperty("client.id").replaceFirst("[^-]*$", "");
      String ofItsProducers = subtask.replaceFirst("-(\\d+)-$", "/$1/");
      PROXY.belongsToThisAttempt(
          first -> first.contains(subtask) || first.contains(ofItsProducers));
      Admin admin = KafkaClients.real().admin(properties);
      faults.closeWithAttempt(() -> admin.close(Duration.ZERO));
      return admin;
    }
  }

  @Override
  RunTopics topics() {
    return topics;
  }

  @Override
  public int concurrentRuns() {
    return 1;
  }

  @Override
  protected Bound bound() {
    return Bound.oneFault().withParallelism(1).withCheckpoints(1).withBudget(Duration.ofMinutes(5));
  }
}
