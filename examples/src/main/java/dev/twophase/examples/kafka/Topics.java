package dev.twophase.examples.kafka;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The two topics of a run.
 *
 * @param bootstrapServers where the cluster is
 * @param prefix with which the names of both begin, and the sink's transactional ids
 */
public record Topics(String bootstrapServers, String prefix) {

  private static final long PATIENCE_SECONDS = 60;
  private static final int INPUT_PARTITIONS = 1;
  private static final int OUTPUT_PARTITIONS = 3;

  /** What the job reads. */
  public String input() {
    return prefix + "-lines";
  }

  /** What the job writes. */
  public String output() {
    return prefix + "-counts";
  }

  /** Creates both. */
  public void create() throws ExecutionException, InterruptedException, TimeoutException {
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
  public void delete() throws ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(input(), output())).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }
}
