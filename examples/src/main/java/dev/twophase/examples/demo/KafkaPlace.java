package dev.twophase.examples.demo;

import dev.twophase.examples.kafka.TopicCopy;
import dev.twophase.examples.kafka.Topics;
import dev.twophase.testkit.kafka.KafkaCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Where the demo's topics are: a broker of its own, or the user's cluster. */
final class KafkaPlace implements AutoCloseable {

  private final Topics topics;
  private final Optional<KafkaCluster> own;

  private KafkaPlace(Topics topics, Optional<KafkaCluster> own) {
    this.topics = topics;
    this.own = own;
  }

  /** Starts a broker that ends with this JVM at the latest. */
  static KafkaPlace ofItsOwn() throws IOException, InterruptedException {
    KafkaCluster cluster = KafkaCluster.builder().start();
    return prepared(cluster.bootstrapServers(), Optional.of(cluster));
  }

  /** Uses a cluster that runs. */
  static KafkaPlace at(String bootstrapServers) throws IOException, InterruptedException {
    return prepared(bootstrapServers, Optional.empty());
  }

  private static KafkaPlace prepared(String bootstrapServers, Optional<KafkaCluster> own)
      throws IOException, InterruptedException {
    Topics topics =
        new Topics(bootstrapServers, "twophase-demo-" + UUID.randomUUID().toString().substring(24));
    KafkaPlace place = new KafkaPlace(topics, own);
    try {
      topics.create();
      return place;
    } catch (ExecutionException | TimeoutException error) {
      own.ifPresent(KafkaCluster::close);
      throw new IOException(
          "The topics cannot be created on " + bootstrapServers + ": " + error.getMessage(), error);
    }
  }

  Topics topics() {
    return topics;
  }

  /** Has another JVM read what is committed in the output topic. */
  static void copyOutput(Topics topics, Path directory, Path errors)
      throws IOException, InterruptedException {
    Process copy =
        Jvm.start(
            TopicCopy.class,
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            List.of(topics.bootstrapServers(), topics.output(), directory.toString()),
            errors);
    int exitCode = copy.waitFor();
    if (exitCode != 0) {
      throw new IOException(
          "Reading "
              + topics.output()
              + " ended with exit code "
              + exitCode
              + ": "
              + Files.readString(errors));
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (own.isPresent()) {
      own.get().close();
      return;
    }
    try {
      topics.delete();
    } catch (ExecutionException | TimeoutException error) {
      throw new IOException(
          "The topics "
              + topics.input()
              + " and "
              + topics.output()
              + " are left on "
              + topics.bootstrapServers()
              + ": "
              + error.getMessage(),
          error);
    }
  }
}
