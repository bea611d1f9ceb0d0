package dev.twophase.examples.place;

import dev.twophase.examples.kafka.TopicCopy;
import dev.twophase.examples.kafka.Topics;
import dev.twophase.testkit.kafka.KafkaCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Where the demo's topics are: a broker of its own, or the user's cluster. */
public final class KafkaPlace implements AutoCloseable {

  private final Topics topics;
  private final Optional<KafkaCluster> own;

  private KafkaPlace(Topics topics, Optional<KafkaCluster> own) {
    this.topics = topics;
    this.own = own;
  }

  /** Starts a broker that ends with this JVM at the latest. */
  public static KafkaPlace ofItsOwn() throws IOException, InterruptedException {
    KafkaCluster cluster = KafkaCluster.builder().start();
    return prepared(cluster.bootstrapServers(), Optional.empty(), Optional.of(cluster));
  }

  /** Uses a cluster that runs. */
  public static KafkaPlace at(String bootstrapServers, Optional<Path> clientProperties)
      throws IOException, InterruptedException {
    return prepared(bootstrapServers, clientProperties, Optional.empty());
  }

  private static KafkaPlace prepared(
      String bootstrapServers, Optional<Path> clientProperties, Optional<KafkaCluster> own)
      throws IOException, InterruptedException {
    String prefix = "twophase-demo-" + UUID.randomUUID().toString().substring(24);
    Topics topics = new Topics(bootstrapServers, clientProperties, prefix);
    KafkaPlace place = new KafkaPlace(topics, own);
    try {
      topics.create();
      place.control().create();
      return place;
    } catch (ExecutionException | TimeoutException error) {
      own.ifPresent(KafkaCluster::close);
      throw new IOException(
          "The topics cannot be created on "
              + bootstrapServers
              + " ("
              + (error instanceof TimeoutException ? "no answer in time" : error.getMessage())
              + "): see that brokers run there and can be reached from here",
          error);
    }
  }

  public Topics topics() {
    return topics;
  }

  /** Those of the control. */
  public Topics control() {
    return topics.withPrefix(topics.prefix() + "-control");
  }

  /** Has another JVM read what is committed in the output topic. */
  public static void copyOutput(Topics topics, Path directory, Path errors)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(topics.toArguments());
    arguments.add(directory.toString());
    Process copy =
        Jvm.start(
            TopicCopy.class,
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            arguments,
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
      control().delete();
    } catch (ExecutionException | TimeoutException error) {
      throw new IOException(
          "Topics whose names begin with "
              + topics.prefix()
              + " are left on "
              + topics.bootstrapServers()
              + ": "
              + error.getMessage(),
          error);
    }
  }
}
