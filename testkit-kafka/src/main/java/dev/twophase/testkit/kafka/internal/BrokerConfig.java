package dev.twophase.testkit.kafka.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The properties of one node: small, quick to start, and quick to expire what is to expire. */
final class BrokerConfig {

  static final String PLAIN = "PLAINTEXT";
  static final String SASL = "SASL_PLAINTEXT";
  static final String TLS = "SSL";
  private static final String CONTROLLER = "CONTROLLER";
  private static final String BETWEEN_BROKERS = "BROKERS";
  private static final String HOST = "127.0.0.1";

  private final ClusterPlan plan;
  private final List<NodePorts> all;
  private final TestKeys keys;

  BrokerConfig(ClusterPlan plan, List<NodePorts> all, TestKeys keys) {
    this.plan = plan;
    this.all = all;
    this.keys = keys;
  }

  Properties of(NodePorts node, Path data) {
    Properties properties = new Properties();
    properties.putAll(identity(node, data));
    properties.putAll(internalTopics());
    properties.putAll(pace());
    if (plan.secured().contains(SASL)) {
      properties.putAll(sasl());
    }
    if (plan.secured().contains(TLS)) {
      properties.putAll(tls());
    }
    properties.putAll(plan.properties());
    return properties;
  }

  private Map<String, String> identity(NodePorts node, Path data) {
    List<String> listeners = new ArrayList<>();
    List<String> advertised = new ArrayList<>();
    List<String> protocols = new ArrayList<>();
    protocols.add(CONTROLLER + ":" + PLAIN);
    protocols.add(BETWEEN_BROKERS + ":" + PLAIN);
    node.listeners()
        .forEach(
            (name, port) -> {
              listeners.add(name + "://" + HOST + ":" + port);
              int told =
                  name.equals(PLAIN) ? plan.advertised().getOrDefault(node.node(), port) : port;
              advertised.add(name + "://" + HOST + ":" + told);
              protocols.add(name + ":" + name);
            });
    listeners.add(BETWEEN_BROKERS + "://" + HOST + ":" + node.broker());
    advertised.add(BETWEEN_BROKERS + "://" + HOST + ":" + node.door());
    listeners.add(CONTROLLER + "://" + HOST + ":" + node.controller());
    return Map.of(
        "process.roles", "broker,controller",
        "node.id", Integer.toString(node.node()),
        "controller.quorum.voters",
            all.stream()
                .map(voter -> voter.node() + "@" + HOST + ":" + voter.controller())
                .collect(Collectors.joining(",")),
        "controller.listener.names", CONTROLLER,
        "inter.broker.listener.name", BETWEEN_BROKERS,
        "listeners", String.join(",", listeners),
        "advertised.listeners", String.join(",", advertised),
        "listener.security.protocol.map", String.join(",", protocols),
        "log.dirs", data.toString());
  }

  private Map<String, String> internalTopics() {
    String copies = Integer.toString(Math.min(3, plan.nodes()));
    String inSync = plan.nodes() < 3 ? "1" : "2";
    return Map.of(
        "offsets.topic.num.partitions", "1",
        "offsets.topic.replication.factor", copies,
        "transaction.state.log.num.partitions", "3",
        "transaction.state.log.replication.factor", copies,
        "transaction.state.log.min.isr", inSync,
        "share.coordinator.state.topic.num.partitions", "1",
        "share.coordinator.state.topic.replication.factor", copies,
        "share.coordinator.state.topic.min.isr", inSync,
        "default.replication.factor", copies,
        "min.insync.replicas", inSync);
  }

  private static Map<String, String> pace() {
    return Map.ofEntries(
        Map.entry("group.initial.rebalance.delay.ms", "0"),
        Map.entry("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500"),
        Map.entry("transaction.remove.expired.transaction.cleanup.interval.ms", "1000"),
        Map.entry("broker.session.timeout.ms", "6000"),
        Map.entry("broker.heartbeat.interval.ms", "500"),
        Map.entry("num.network.threads", "2"),
        Map.entry("num.io.threads", "4"),
        Map.entry("background.threads", "2"),
        Map.entry("log.cleaner.dedupe.buffer.size", "4194304"),
        // A topic that appears because its name was mistyped would hide the mistake.
        Map.entry("auto.create.topics.enable", "false"));
  }

  private static Map<String, String> sasl() {
    String prefix = "listener.name." + SASL.toLowerCase(java.util.Locale.ROOT) + ".";
    return Map.of(
        "sasl.enabled.mechanisms",
        "PLAIN",
        prefix + "plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_"
            + Credentials.USER
            + "=\""
            + Credentials.PASSWORD
            + "\";");
  }

  private Map<String, String> tls() {
    return Map.of(
        "ssl.keystore.type", "PKCS12",
        "ssl.keystore.location", keys.keyStore().toString(),
        "ssl.keystore.password", keys.password(),
        "ssl.key.password", keys.password());
  }
}
