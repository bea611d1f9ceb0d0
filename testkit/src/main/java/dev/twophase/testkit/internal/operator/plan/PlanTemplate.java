package dev.twophase.testkit.internal.operator.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.graph.StreamConfig;

/** A plan in which the name of the namespace, wherever it occurs, can be replaced by another. */
final class PlanTemplate {

  private final SinkPlan plan;
  private final byte[] name;

  /** Where the name begins in the plan's arrays: they are the same ones for every namespace. */
  private final IdentityHashMap<byte[], int[]> places = new IdentityHashMap<>();

  /** By index of the node: the values of its set-up in which the name occurs. */
  private final List<Map<String, byte[]>> namedSettings = new ArrayList<>();

  PlanTemplate(SinkPlan plan, String namespace) {
    this.plan = plan;
    this.name = namespace.getBytes(StandardCharsets.UTF_8);
    for (PlannedNode node : plan.nodes()) {
      Map<String, byte[]> named = new LinkedHashMap<>();
      Configuration settings = node.config().getConfiguration();
      for (String key : settings.keySet()) {
        byte[] value = bytes(settings, key);
        if (find(value, 0) >= 0) {
          named.put(key, value);
          learn(value);
        }
      }
      namedSettings.add(named);
      learn(node.factory());
      node.outputs().forEach(edge -> learn(edge.serializer()));
    }
    plan.entries().forEach(edge -> learn(edge.serializer()));
  }

  private void learn(byte[] bytes) {
    IntStream.Builder found = IntStream.builder();
    for (int at = find(bytes, 0); at >= 0; at = find(bytes, at + name.length)) {
      found.add(at);
    }
    places.put(bytes, found.build().toArray());
  }

  private static byte[] bytes(Configuration settings, String key) {
    try {
      return settings.getBytes(key, new byte[0]);
    } catch (IllegalArgumentException text) {
      // Flink does not tell otherwise what type a value is of; names in texts are compared whole.
      return new byte[0];
    }
  }

  /** The plan for another namespace, whose name is of the same length. */
  SinkPlan in(String namespace) {
    byte[] other = namespace.getBytes(StandardCharsets.UTF_8);
    List<PlannedNode> nodes = new ArrayList<>(plan.nodes().size());
    for (int i = 0; i < plan.nodes().size(); i++) {
      PlannedNode node = plan.nodes().get(i);
      nodes.add(
          new PlannedNode(
              node.key(),
              node.name(),
              node.id(),
              renamed(node.factory(), other),
              renamed(node.config(), namedSettings.get(i), other),
              node.inputEdges(),
              renamed(node.outputs(), other)));
    }
    return new SinkPlan(
        nodes, renamed(plan.entries(), other), plan.jobConfiguration(), plan.executionConfig());
  }

  private StreamConfig renamed(StreamConfig config, Map<String, byte[]> named, byte[] other) {
    if (named.isEmpty()) {
      return config;
    }
    Configuration settings = new Configuration(config.getConfiguration());
    named.forEach((key, value) -> settings.setBytes(key, renamed(value, other)));
    return new StreamConfig(settings);
  }

  private List<PlannedEdge> renamed(List<PlannedEdge> edges, byte[] other) {
    List<PlannedEdge> renamed = new ArrayList<>(edges.size());
    for (PlannedEdge edge : edges) {
      renamed.add(
          new PlannedEdge(
              edge.target(),
              edge.input(),
              edge.chained(),
              renamed(edge.serializer(), other),
              edge.tag()));
    }
    return renamed;
  }

  private byte[] renamed(byte[] bytes, byte[] other) {
    int[] found = Objects.requireNonNull(places.get(bytes));
    if (found.length == 0) {
      return bytes;
    }
    byte[] renamed = bytes.clone();
    for (int at : found) {
      System.arraycopy(other, 0, renamed, at, other.length);
    }
    return renamed;
  }

  private int find(byte[] bytes, int from) {
    for (int at = from; name.length > 0 && at + name.length <= bytes.length; at++) {
      if (bytes[at] == name[0]
          && Arrays.equals(bytes, at, at + name.length, name, 0, name.length)) {
        return at;
      }
    }
    return -1;
  }

  /** Whether this is, byte for byte, what the translator made for another namespace. */
  boolean fits(SinkPlan other, String namespace) {
    if (namespace.length() != name.length) {
      return false;
    }
    SinkPlan mine = in(namespace);
    if (mine.nodes().size() != other.nodes().size()
        || !sameEdges(mine.entries(), other.entries())
        || !mine.jobConfiguration().equals(other.jobConfiguration())
        || !mine.executionConfig().equals(other.executionConfig())) {
      return false;
    }
    for (int i = 0; i < mine.nodes().size(); i++) {
      if (!sameNode(mine.nodes().get(i), other.nodes().get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameNode(PlannedNode one, PlannedNode other) {
    return one.key().equals(other.key())
        && Arrays.equals(one.factory(), other.factory())
        && one.config().getConfiguration().equals(other.config().getConfiguration())
        && one.inputEdges().equals(other.inputEdges())
        && sameEdges(one.outputs(), other.outputs());
  }

  private static boolean sameEdges(List<PlannedEdge> some, List<PlannedEdge> others) {
    boolean same = some.size() == others.size();
    for (int i = 0; same && i < some.size(); i++) {
      PlannedEdge one = some.get(i);
      PlannedEdge other = others.get(i);
      same =
          one.target() == other.target()
              && one.input() == other.input()
              && one.chained() == other.chained()
              && Arrays.equals(one.serializer(), other.serializer())
              && Objects.equals(one.tag(), other.tag());
    }
    return same;
  }
}
