package dev.twophase.benchmarks.kafka;

import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Entrant;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.testkit.kafka.KafkaCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The broker of a comparison, and how contenders reach it. KafkaSink does not work with the newest
 * kafka-clients: its side gets the version it is built with.
 */
final class KafkaSide implements AutoCloseable {

  private static final String SERVERS = "benchmark.bootstrap.servers";
  private static final String PID = "benchmark.broker.pid";
  private static final String OTHER_CLIENTS = "/other-clients/kafka-clients.jar";

  private static final String WARM_UP = "warm-up";
  private static final long WARM_UP_TRANSACTIONS = 4_000;

  private static final long SECONDS_TO_IDLE = 2;
  private static final long IDLE_WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private final KafkaCluster cluster;
  private final Path otherClients;
  private final boolean profiled;

  private KafkaSide(KafkaCluster cluster, Path otherClients, boolean profiled) {
    this.cluster = cluster;
    this.otherClients = otherClients;
    this.profiled = profiled;
  }

  /** Starts a broker with a compiler and a heap as in production. */
  static KafkaSide start(RunSettings settings) throws IOException {
    Path otherClients = settings.directory().resolve("kafka-clients.jar");
    try (InputStream jar = KafkaSide.class.getResourceAsStream(OTHER_CLIENTS)) {
      if (jar == null) {
        throw new IOException(OTHER_CLIENTS + " is missing: build with mvn package");
      }
      Files.copy(jar, otherClients);
    }
    List<String> flags = new ArrayList<>(List.of("-Xms1g", "-Xmx1g"));
    if (settings.profiles().isPresent()) {
      Path profiles = Files.createDirectories(settings.profiles().get().toAbsolutePath());
      flags.add(
          "-XX:StartFlightRecording=settings=profile,filename=" + profiles.resolve("broker.jfr"));
    }
    KafkaCluster cluster =
        KafkaCluster.builder()
            .jvmArguments(flags.toArray(String[]::new))
            .property("log.segment.delete.delay.ms", 100)
            .start();
    return new KafkaSide(cluster, otherClients, settings.profiles().isPresent());
  }

  /**
   * Has many small transactions committed, so that the broker is no longer compiling what ends
   * them: one in production has long done so.
   */
  void warmUp(double scale) throws Exception {
    cluster.createTopic(WARM_UP, 1);
    long transactions = RunSettings.scaled(WARM_UP_TRANSACTIONS, scale);
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            cluster.bootstrapServers(),
            "transactional.id",
            WARM_UP,
            "retry.backoff.ms",
            1);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      for (long transaction = 0; transaction < transactions; transaction++) {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(WARM_UP, new byte[10])).get();
        admin.describeTransactions(List.of(WARM_UP)).all().get();
        producer.commitTransaction();
      }
    }
  }

  /** In the JVM of a contender. */
  static String bootstrapServers() {
    return property(SERVERS);
  }

  /** In the JVM of a contender: what the broker has needed of the processors up to now. */
  static long brokerCpuNanos() {
    return ProcessHandle.of(Long.parseLong(property(PID)))
        .flatMap(broker -> broker.info().totalCpuDuration())
        .orElseThrow(() -> new IllegalStateException("The broker's processor time is not known"))
        .toNanos();
  }

  /**
   * Waits until the broker does next to nothing: it deletes a topic's files when the topic has long
   * been deleted, and that work would be the next job's. Gives up after some seconds.
   */
  static void awaitIdleBroker() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_IDLE);
    long used;
    do {
      long before = brokerCpuNanos();
      LockSupport.parkNanos(IDLE_WINDOW_NANOS);
      used = brokerCpuNanos() - before;
    } while (used > IDLE_WINDOW_NANOS / 10 && System.nanoTime() < deadline);
  }

  private static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException("-D" + name + " is missing");
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
    flags.add("-D" + SERVERS + "=" + cluster.bootstrapServers());
    flags.add("-D" + PID + "=" + cluster.broker(1).pid());
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
    if (profiled) {
      // A recording is written at an orderly end only.
      cluster.broker(1).stop();
    }
    cluster.close();
  }
}
