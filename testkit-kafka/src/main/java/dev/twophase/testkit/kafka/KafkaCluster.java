package dev.twophase.testkit.kafka;

import dev.twophase.testkit.kafka.internal.BrokerNode;
import dev.twophase.testkit.kafka.internal.BrokerNodes;
import dev.twophase.testkit.kafka.internal.ClusterPlan;
import dev.twophase.testkit.kafka.internal.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A real Kafka cluster on the loopback: each broker, also a controller, in a JVM of its own, on
 * free ports, with data in a directory that is deleted at the end. It ends with {@link #close()} or
 * with the JVM that started it, however that one ends. Thread-safe.
 *
 * <pre>{@code
 * try (KafkaCluster kafka = KafkaCluster.builder().start()) {
 *   kafka.createTopic("orders", 2);
 *   job.run(kafka.bootstrapServers());
 *   kafka.broker(1).killAndRestart();
 * }
 * }</pre>
 */
public final class KafkaCluster implements AutoCloseable {

  private final ClusterPlan plan;
  private final List<BrokerNode> nodes;
  private final List<KafkaBroker> brokers;
  private final Thread atExit = new Thread(this::end, "end of a Kafka cluster");

  private KafkaCluster(ClusterPlan plan, List<BrokerNode> nodes) {
    this.plan = plan;
    this.nodes = nodes;
    this.brokers = nodes.stream().map(KafkaBroker::new).toList();
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** One node, newest features, no security, small and quick to start, unless changed. */
  public static Builder builder() {
    return new Builder();
  }

  /** As {@link #bootstrapServers(ListenerSecurity)} for unencrypted connections. */
  public String bootstrapServers() {
    return bootstrapServers(ListenerSecurity.PLAINTEXT);
  }

  /**
   * For {@code bootstrap.servers}; with the advertised ports, if there are such.
   *
   * @throws IllegalArgumentException if the cluster was not built with that security
   */
  public String bootstrapServers(ListenerSecurity security) {
    return nodes.stream()
        .map(node -> "127.0.0.1:" + portForClients(node, security))
        .collect(Collectors.joining(","));
  }

  /**
   * What a client of any kind needs: where the brokers are, and the security settings.
   *
   * @throws IllegalArgumentException if the cluster was not built with that security
   */
  public Map<String, String> clientProperties(ListenerSecurity security) {
    Map<String, String> properties = new HashMap<>();
    properties.put("bootstrap.servers", bootstrapServers(security));
    properties.put("security.protocol", security.name());
    switch (security) {
      case PLAINTEXT -> {}
      case SASL_PLAINTEXT -> {
        properties.put("sasl.mechanism", "PLAIN");
        properties.put(
            "sasl.jaas.config",
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\""
                + Credentials.USER
                + "\" password=\""
                + Credentials.PASSWORD
                + "\";");
      }
      case SSL -> {
        properties.put("ssl.truststore.type", "PKCS12");
        properties.put("ssl.truststore.location", BrokerNodes.trustStore(plan).toString());
        properties.put("ssl.truststore.password", BrokerNodes.trustStorePassword(plan));
      }
    }
    return properties;
  }

  /** In order of their ids. */
  public List<KafkaBroker> brokers() {
    return brokers;
  }

  /** The broker with that id, 1 for the first. */
  public KafkaBroker broker(int id) {
    if (id < 1 || id > brokers.size()) {
      throw new IllegalArgumentException(
          "No broker " + id + ": the cluster has 1 to " + brokers.size());
    }
    return brokers.get(id - 1);
  }

  /** Creates a topic with a copy on each of up to three nodes, and waits until it is there. */
  public void createTopic(String topic, int partitions) {
    createTopic(topic, partitions, Map.of());
  }

  /** As {@link #createTopic(String, int)}, with topic settings. */
  public void createTopic(String topic, int partitions, Map<String, String> settings) {
    new ClusterAdmin(this).createTopic(topic, partitions, settings);
  }

  /**
   * Changes the level of {@code transaction.version} while the cluster runs.
   *
   * @param version 0, 1 or 2
   */
  public void setTransactionVersion(int version) {
    new ClusterAdmin(this).setTransactionVersion((short) version);
  }

  /** Brings back whatever is frozen, stopped or killed, and waits until all serve. */
  public void restoreAll() {
    brokers.forEach(KafkaBroker::thaw);
    brokers.forEach(KafkaBroker::launch);
    brokers.forEach(KafkaBroker::start);
  }

  /** Kills every broker and deletes its data. Closing twice does no harm. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException exiting) {
      // The hook does, or has done, the same.
      return;
    }
    end();
  }

  private void end() {
    brokers.forEach(KafkaBroker::kill);
    if (Files.exists(plan.directory())) {
      BrokerNodes.delete(plan.directory());
    }
  }

  private int portForClients(BrokerNode node, ListenerSecurity security) {
    int own = node.port(security.name());
    return security == ListenerSecurity.PLAINTEXT
        ? plan.advertised().getOrDefault(node.id(), own)
        : own;
  }

  /** How the cluster is to be. Not thread-safe; may be used for several clusters. */
  public static final class Builder {

    private final Map<String, String> properties = new LinkedHashMap<>();
    private final Set<String> secured = new LinkedHashSet<>();
    private final Map<Integer, Integer> advertised = new HashMap<>();
    private int nodes = 1;
    private OptionalInt transactionVersion = OptionalInt.empty();
    private Duration startTimeout = Duration.ofSeconds(90);
    private List<String> jvmArguments =
        List.of("-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    private Builder() {}

    /** Default 1. With three, internal topics and new topics have three copies, two in sync. */
    public Builder nodes(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("nodes must be 1 or more, not " + count);
      }
      this.nodes = count;
      return this;
    }

    /** The feature level of {@code transaction.version}, 1 or 2; default is the broker's newest. */
    public Builder transactionVersion(int version) {
      this.transactionVersion = OptionalInt.of(version);
      return this;
    }

    /** Any broker property; replaces what this class would set. */
    public Builder property(String name, Object value) {
      properties.put(name, value.toString());
      return this;
    }

    /** Adds a listener beside the plain one, which is always there. */
    public Builder security(ListenerSecurity security) {
      if (security != ListenerSecurity.PLAINTEXT) {
        secured.add(security.name());
      }
      return this;
    }

    /**
     * Makes a node tell its clients another port of 127.0.0.1 than its own: that of a proxy, so
     * that whatever they learn from the cluster leads through it. Brokers among themselves do not.
     *
     * @param node 1 for the first
     */
    public Builder advertisedPort(int node, int port) {
      advertised.put(node, port);
      return this;
    }

    /** Replaces the switches of the brokers' JVMs, which keep them small and quick to start. */
    public Builder jvmArguments(String... arguments) {
      this.jvmArguments = List.of(arguments);
      return this;
    }

    /** How long a start, or a controlled shutdown, may take. Default 90 seconds. */
    public Builder startTimeout(Duration timeout) {
      this.startTimeout = timeout;
      return this;
    }

    /**
     * Starts all brokers and waits until they serve; about three seconds for one.
     *
     * @throws KafkaBrokerException if one does not; carries its last log lines
     */
    public KafkaCluster start() {
      ClusterPlan plan = plan();
      try {
        return new KafkaCluster(plan, BrokerNodes.start(plan));
      } catch (RuntimeException failure) {
        BrokerNodes.delete(plan.directory());
        throw failure;
      }
    }

    private ClusterPlan plan() {
      try {
        Path directory = Files.createTempDirectory("twophase-kafka");
        return new ClusterPlan(
            nodes,
            transactionVersion,
            Map.copyOf(properties),
            Set.copyOf(secured),
            Map.copyOf(advertised),
            jvmArguments,
            startTimeout,
            directory);
      } catch (IOException failure) {
        throw new KafkaBrokerException("No temporary directory for the cluster", failure);
      }
    }
  }
}
