package dev.twophase.testkit.kafka;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What tests ask of a cluster's controller. */
final class ClusterAdmin {

  private static final long SECONDS = 60;
  private static final long POLL_MILLIS = 20;

  private final KafkaCluster cluster;

  ClusterAdmin(KafkaCluster cluster) {
    this.cluster = cluster;
  }

  void createTopic(String topic, int partitions, Map<String, String> settings) {
    NewTopic wanted =
        new NewTopic(topic, Optional.of(partitions), Optional.<Short>empty()).configs(settings);
    doing(
        "creating topic " + topic,
        admin -> {
          get(admin.createTopics(List.of(wanted)).all());
          while (!hasLeaders(admin, topic, partitions)) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
          }
        });
  }

  void setTransactionVersion(short version) {
    FeatureUpdate update = new FeatureUpdate(version, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
    FeatureUpdate upgrade = new FeatureUpdate(version, FeatureUpdate.UpgradeType.UPGRADE);
    doing(
        "setting transaction.version to " + version,
        admin -> {
          short now = level(admin);
          if (now != version) {
            get(
                admin
                    .updateFeatures(
                        Map.of("transaction.version", version < now ? update : upgrade),
                        new UpdateFeaturesOptions())
                    .all());
          }
        });
  }

  private static short level(Admin admin) throws Exception {
    return Optional.ofNullable(
            get(admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get("transaction.version"))
        .map(range -> range.maxVersionLevel())
        .orElse((short) 0);
  }

  private static boolean hasLeaders(Admin admin, String topic, int partitions) throws Exception {
    try {
      TopicDescription found = get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
      return found != null
          && found.partitions().size() == partitions
          && found.partitions().stream().noneMatch(p -> p.leader() == null || p.leader().isEmpty());
    } catch (ExecutionException notYet) {
      if (notYet.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw notYet;
    }
  }

  private static <T> T get(KafkaFuture<T> future) throws Exception {
    return future.get(SECONDS, TimeUnit.SECONDS);
  }

  private void doing(String what, Step step) {
    try (Admin admin =
        Admin.create(
            Collections.unmodifiableMap(cluster.clientProperties(ListenerSecurity.PLAINTEXT)))) {
      step.run(admin);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new KafkaBrokerException("Interrupted while " + what, interrupted);
    } catch (Exception failure) {
      throw new KafkaBrokerException("Failed while " + what, failure);
    }
  }

  private interface Step {
    void run(Admin admin) throws Exception;
  }
}
