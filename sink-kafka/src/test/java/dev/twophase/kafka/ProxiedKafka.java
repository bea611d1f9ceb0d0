package dev.twophase.kafka;

import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.proxy.TcpProxy;
import dev.twophase.testkit.proxy.wire.KafkaFramer;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker of one test class's own, whose clients all come through a proxy. What one test cuts,
 * holds, kills or changes is as before for the next.
 */
public final class ProxiedKafka implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

  private final TcpProxy proxy = TcpProxy.open(new KafkaFramer());
  private final KafkaCluster.Builder configured;
  private KafkaCluster cluster;

  /** Starts such a broker before the first test. */
  public ProxiedKafka(KafkaCluster.Builder configured) {
    this.configured = configured;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster = configured.advertisedPort(1, proxy.port()).start();
    proxy.forwardTo(cluster.broker(1).port());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    proxy.heal();
    cluster.restoreAll();
    cluster.setTransactionVersion(2);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    cluster.close();
    proxy.close();
  }

  public TcpProxy proxy() {
    return proxy;
  }

  public KafkaCluster cluster() {
    return Objects.requireNonNull(cluster, "the tests have not begun");
  }
}
