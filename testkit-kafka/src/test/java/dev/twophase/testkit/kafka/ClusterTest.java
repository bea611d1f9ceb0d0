package dev.twophase.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClusterTest {

  @Test
  void threeNodesGoOnWithoutOne() throws Exception {
    try (KafkaCluster cluster = KafkaCluster.builder().nodes(3).transactionVersion(1).start()) {
      cluster.createTopic("copied", 1);
      Records records = Records.of(cluster, "copied");
      records.write("three");
      cluster.broker(2).kill();
      records.write("two");

      assertThat(records.committed()).containsExactly("three", "two");
      assertThat(OneBrokerTest.transactionVersion(cluster)).isEqualTo(1);
    }
  }

  @Test
  void aBrokerThatCannotStartSaysWhatItLogged() {
    KafkaCluster.Builder builder = KafkaCluster.builder().property("num.io.threads", "none");

    assertThatThrownBy(builder::start)
        .isInstanceOf(KafkaBrokerException.class)
        .hasMessageContaining("Broker 1 ended before it served")
        .hasMessageContaining("num.io.threads");
  }

  /** Nightly, because other ports are tried first. */
  @Tag("nightly")
  @Test
  void aBrokerWhosePortIsTakenEndsAndSaysSo() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      KafkaCluster.Builder builder =
          KafkaCluster.builder()
              .property(
                  "listeners",
                  "PLAINTEXT://127.0.0.1:"
                      + taken.getLocalPort()
                      + ",BROKERS://127.0.0.1:0,CONTROLLER://127.0.0.1:0");

      assertThatThrownBy(builder::start)
          .isInstanceOf(KafkaBrokerException.class)
          .hasMessageContaining("Broker 1 ended before it served")
          .hasMessageContaining("Address already in use");
    }
  }

  @Test
  void aBrokerThatTakesTooLongIsGivenUp() {
    KafkaCluster.Builder builder = KafkaCluster.builder().startTimeout(Duration.ofMillis(1));

    assertThatThrownBy(builder::start)
        .isInstanceOf(KafkaBrokerException.class)
        .hasMessageContaining("did not serve within PT0.001S (startTimeout)");
  }

  @Test
  void theAdvertisedPortIsWhatClientsAreTold() throws Exception {
    try (ServerSocket elsewhere = new ServerSocket(0);
        KafkaCluster cluster =
            KafkaCluster.builder().advertisedPort(1, elsewhere.getLocalPort()).start()) {
      assertThat(cluster.bootstrapServers()).isEqualTo("127.0.0.1:" + elsewhere.getLocalPort());
      assertThat(cluster.broker(1).port()).isNotEqualTo(elsewhere.getLocalPort());
    }
  }
}
