package dev.twophase.examples.kafka;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The two topics of a run.
 *
 * @param bootstrapServers where the cluster is
 * @param clientProperties file with what else clients need, such as credentials; empty if nothing
 * @param prefix with which the names of both begin, and the sink's transactional ids
 */
public record Topics(String bootstrapServers, Optional<Path> clientProperties, String prefix) {

  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
  private static final long PATIENCE_SECONDS = 60;
  private static final int INPUT_PARTITIONS = 1;
  private static final int OUTPUT_PARTITIONS = 3;

  /** From the texts that {@link #toArguments} gives. */
  public static Topics parse(String bootstrapServers, String clientProperties, String prefix) {
    return new Topics(
        bootstrapServers,
        clientProperties.isEmpty() ? Optional.empty() : Optional.of(Path.of(clientProperties)),
        prefix);
  }

  /** For another process, which reads the file itself. */
  public List<String> toArguments() {
    return List.of(bootstrapServers, clientProperties.map(Path::toString).orElse(""), prefix);
  }

  /** The same cluster under another prefix. */
  public Topics withPrefix(String other) {
    return new Topics(bootstrapServers, clientProperties, other);
  }

  /** What is in the file, but for where the cluster is. */
  public Properties security() throws IOException {
    Properties properties = new Properties();
    if (clientProperties.isPresent()) {
      try (Reader file =
          Files.newBufferedReader(clientProperties.get(), StandardCharsets.ISO_8859_1)) {
        properties.load(file);
      }
    }
    properties.remove(BOOTSTRAP_SERVERS);
    return properties;
  }

  /** What a client of any kind needs. */
  public Properties client() throws IOException {
    Properties properties = security();
    properties.setProperty(BOOTSTRAP_SERVERS, bootstrapServers);
    return properties;
  }

  /** What the job reads. */
  public String input() {
    return prefix + "-lines";
  }

  /** What the job writes. */
  public String output() {
    return prefix + "-counts";
  }

  /** Creates both. */
  public void create()
      throws IOException, ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = admin()) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(input(), Optional.of(INPUT_PARTITIONS), Optional.empty()),
                  new NewTopic(output(), Optional.of(OUTPUT_PARTITIONS), Optional.empty())))
          .all()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Deletes both. */
  public void delete()
      throws IOException, ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(input(), output())).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private Admin admin() throws IOException {
    return Admin.create(client());
  }
}
