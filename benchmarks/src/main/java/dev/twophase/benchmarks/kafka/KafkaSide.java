package dev.twophase.benchmarks.kafka;

import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Entrant;
import dev.twophase.testkit.kafka.KafkaCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The broker of a comparison, and how contenders reach it. KafkaSink does not work with the newest
 * kafka-clients: its side gets the version it is built with.
 */
final class KafkaSide implements AutoCloseable {

  private static final String PROPERTY = "benchmark.bootstrap.servers";
  private static final String OTHER_CLIENTS = "/other-clients/kafka-clients.jar";

  private final KafkaCluster cluster;
  private final Path otherClients;

  private KafkaSide(KafkaCluster cluster, Path otherClients) {
    this.cluster = cluster;
    this.otherClients = otherClients;
  }

  /** Starts a broker with a compiler and a heap as in production. */
  static KafkaSide start(Path directory) throws IOException {
    Path otherClients = directory.resolve("kafka-clients.jar");
    try (InputStream jar = KafkaSide.class.getResourceAsStream(OTHER_CLIENTS)) {
      if (jar == null) {
        throw new IOException(OTHER_CLIENTS + " is missing: build with mvn package");
      }
      Files.copy(jar, otherClients);
    }
    KafkaCluster cluster =
        KafkaCluster.builder()
            .jvmArguments("-Xms1g", "-Xmx1g")
            .property("log.segment.delete.delay.ms", 1000)
            .start();
    return new KafkaSide(cluster, otherClients);
  }

  /** In the JVM of a contender. */
  static String bootstrapServers() {
    String value = System.getProperty(PROPERTY);
    if (value == null) {
      throw new IllegalStateException("-D" + PROPERTY + " is missing");
    }
    return value;
  }

  Entrant entrant(
      String label,
      Class<? extends Contender> type,
      KafkaSinkKind kind,
      String size,
      List<String> heap) {
    List<String> flags = new ArrayList<>(heap);
    flags.add("-D" + PROPERTY + "=" + cluster.bootstrapServers());
    flags.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    return new Entrant(
        label,
        type,
        kind.name() + "/" + size,
        flags,
        kind == KafkaSinkKind.FLINK ? List.of(otherClients) : List.of());
  }

  @Override
  public void close() {
    cluster.close();
  }
}
