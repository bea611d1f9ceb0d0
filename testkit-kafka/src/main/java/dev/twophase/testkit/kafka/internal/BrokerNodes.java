package dev.twophase.testkit.kafka.internal;

import dev.twophase.testkit.kafka.KafkaBrokerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/** The first start of all nodes of a cluster, on ports that turn out to be free. */
public final class BrokerNodes {

  private static final int MOST_TRIES = 5;

  private final ClusterPlan plan;
  private final TestKeys keys;

  private BrokerNodes(ClusterPlan plan, TestKeys keys) {
    this.plan = plan;
    this.keys = keys;
  }

  /** All serve, or none is left and an exception tells why. */
  public static List<BrokerNode> start(ClusterPlan plan) {
    try {
      TestKeys keys = new TestKeys(Files.createDirectories(plan.directory()));
      if (plan.secured().contains(BrokerConfig.TLS)) {
        keys.make();
      }
      return new BrokerNodes(plan, keys).start();
    } catch (IOException failure) {
      throw new KafkaBrokerException("The cluster's files could not be written", failure);
    }
  }

  public static Path trustStore(ClusterPlan plan) {
    return new TestKeys(plan.directory()).trustStore();
  }

  public static String trustStorePassword(ClusterPlan plan) {
    return new TestKeys(plan.directory()).password();
  }

  /** Also what killed processes have left. */
  public static void delete(Path directory) {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private List<BrokerNode> start() throws IOException {
    for (int attempt = 1; ; attempt++) {
      List<BrokerNode> nodes = place(attempt);
      Optional<KafkaBrokerException> failure = launch(nodes);
      if (failure.isEmpty()) {
        return nodes;
      }
      boolean portTaken = nodes.stream().anyMatch(BrokerNode::portWasTaken);
      nodes.forEach(BrokerNode::kill);
      if (!portTaken || attempt == MOST_TRIES) {
        throw failure.get();
      }
    }
  }

  private static Optional<KafkaBrokerException> launch(List<BrokerNode> nodes) {
    try {
      nodes.forEach(BrokerNode::launch);
      nodes.forEach(BrokerNode::awaitServing);
      return Optional.empty();
    } catch (KafkaBrokerException failure) {
      return Optional.of(failure);
    }
  }

  private List<BrokerNode> place(int attempt) throws IOException {
    Ports free = new Ports();
    String clusterId = Uuid.randomUuid().toString();
    List<NodePorts> all = new ArrayList<>();
    for (int id = 1; id <= plan.nodes(); id++) {
      Map<String, Integer> listeners = new LinkedHashMap<>();
      listeners.put(BrokerConfig.PLAIN, free.next());
      plan.secured().forEach(name -> listeners.put(name, free.next()));
      all.add(new NodePorts(id, free.next(), free.next(), free.next(), listeners));
    }
    BrokerConfig config = new BrokerConfig(plan, all, keys);
    List<BrokerNode> nodes = new ArrayList<>();
    for (NodePorts ports : all) {
      Path directory = plan.directory().resolve("node-" + ports.node() + "-" + attempt);
      BrokerNode node = new BrokerNode(ports, plan, clusterId, directory);
      node.writeConfig(config.of(ports, node.data()));
      nodes.add(node);
    }
    return nodes;
  }
}
