package dev.twophase.kafka.internal;

import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.KafkaSettings;
import dev.twophase.kafka.internal.commit.ExternalId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the cluster before anything is written (E3). What would lose data or could never work is
 * refused; what is only unwise is logged as a warning, by the first subtask.
 */
final class Preflight {

  private static final Logger LOG = LoggerFactory.getLogger(Preflight.class);

  private static final Duration SHORT_OUTAGE = Duration.ofMinutes(5);
  private static final String MAX_TIMEOUT = "transaction.max.timeout.ms";

  private final KafkaSettings<?> settings;
  private final PreflightContext job;
  private final Coordinators coordinators;
  private final ConnectorContext subtask;

  Preflight(
      KafkaSettings<?> settings,
      PreflightContext job,
      Coordinators coordinators,
      ConnectorContext subtask) {
    this.settings = settings;
    this.job = job;
    this.coordinators = coordinators;
    this.subtask = subtask;
  }

  void check() throws InterruptedException {
    Set<String> unknown = settings.properties().unknown();
    if (!unknown.isEmpty()) {
      warn(
          "Sink '{}' was given properties that no Kafka client knows: {}. Unless they are meant for"
              + " a plug-in, they have no effect: look for misspelt names",
          job.sinkName(),
          unknown);
    }
    for (String topic : settings.topics()) {
      checkTopic("topic", topic);
    }
    if (settings.markerTopic() != null) {
      checkTopic("markerTopic", settings.markerTopic());
    }
    if (job.guarantee() == DeliveryGuarantee.EXACTLY_ONCE) {
      checkTransactionalId();
      if (settings.rewindDetection()) {
        checkGroup();
      }
      checkTimeout();
      if (!job.batch()) {
        logToleratedOutage();
      }
    }
  }

  private void checkTopic(String setting, String topic) throws InterruptedException {
    TopicDescription description;
    try {
      description =
          Objects.requireNonNull(
              Coordinators.await(
                      coordinators
                          .admin()
                          .describeTopics(
                              List.of(topic),
                              new DescribeTopicsOptions().includeAuthorizedOperations(true))
                          .allTopicNames())
                  .get(topic));
    } catch (UnknownTopicOrPartitionException missing) {
      throw job.refuse(
          setting,
          topic + " (not found)",
          "Create it, or grant the user DESCRIBE on it. If it was deleted, what was committed to it"
              + " is gone with it");
    } catch (InvalidTopicException invalid) {
      throw job.refuse(
          setting,
          topic + " (not a valid name)",
          "Use letters, digits, '.', '_' and '-', 249 of them at most");
    } catch (AuthorizationException denied) {
      throw job.refuse(
          setting, topic + " (access denied)", "Grant the user WRITE and DESCRIBE on it");
    }
    Set<AclOperation> allowed = description.authorizedOperations();
    if (allowed != null && !allowed.isEmpty() && !allowed.contains(AclOperation.WRITE)) {
      throw job.refuse(setting, topic + " (write access denied)", "Grant the user WRITE on it");
    }
    if (allowed != null && !allowed.isEmpty() && !allowed.contains(AclOperation.READ)) {
      checkUnreadable(setting, topic);
    }
    Config config = config(ConfigResource.Type.TOPIC, topic);
    if (config != null) {
      checkReplication(topic, description, config);
      checkBatchSize(topic, config);
      checkCompaction(topic, config);
    }
  }

  /** To mark a transaction takes the right to read, and so does the proof of an old outcome. */
  private void checkUnreadable(String setting, String topic) {
    if (job.guarantee() != DeliveryGuarantee.EXACTLY_ONCE) {
      return;
    }
    if (settings.rewindDetection()) {
      throw job.refuse(
          setting,
          topic + " (read access denied)",
          "Grant the user READ on it: transactions are marked and proven by it; or do without, with"
              + " setRewindDetection(false)");
    }
    warn(
        "Topic {} may not be read: where a coordinator has forgotten a transaction, its outcome"
            + " cannot be proven, and the job would stop and ask. Grant the user READ on it",
        topic);
  }

  /** Where transactions are marked: to look takes DESCRIBE, to mark takes READ. */
  private void checkGroup() throws InterruptedException {
    String group = KafkaSettings.group(subtask.sinkName(), subtask.subtask());
    try {
      Coordinators.await(
          coordinators
              .admin()
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata(group));
      // Nobody is ever a member: it is refused for that, unless for want of the right to READ.
      Coordinators.await(
          coordinators
              .admin()
              .removeMembersFromConsumerGroup(
                  group,
                  new RemoveMembersFromConsumerGroupOptions(
                      Set.of(new MemberToRemove(subtask.attemptNonce().toString()))))
              .all());
    } catch (GroupAuthorizationException denied) {
      throw job.refuse(
          "consumer group",
          group + " (access denied)",
          "Grant the user READ and DESCRIBE on groups with the prefix 'twophase."
              + subtask.sinkName()
              + ".', or do without with setRewindDetection(false)");
    } catch (KafkaException notAMember) {
      LOG.debug("Nobody is a member of {}", group, notAMember);
    }
  }

  /** The client splits a batch that is too large by its own limit, and so never smaller. */
  private void checkBatchSize(String topic, Config config) {
    Long most = number(config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
    int batch = settings.properties().batchSize();
    if (most != null && most < batch) {
      throw job.refuse(
          "batch.size",
          batch + ", and max.message.bytes of topic " + topic + " is " + most,
          "A batch that the topic refuses would be sent for ever: set batch.size to at most "
              + most
              + " with setProperty, or raise max.message.bytes");
    }
  }

  private void checkReplication(String topic, TopicDescription description, Config config) {
    int replicas =
        description.partitions().stream()
            .mapToInt(partition -> partition.replicas().size())
            .min()
            .orElse(0);
    Long minInSync = number(config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG));
    if (minInSync != null && minInSync > replicas) {
      throw job.refuse(
          TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG + " of topic " + topic,
          minInSync + ", with " + replicas + " replicas",
          "No record could ever be acknowledged: add replicas or lower it");
    }
    if (minInSync != null && minInSync < 2) {
      warn(
          "Topic {} acknowledges records that one replica has ({} is {}, replicas {}): if that"
              + " broker's disk is lost, committed records are lost with it. Use three replicas and"
              + " min.insync.replicas=2",
          topic,
          TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
          minInSync,
          replicas);
    }
  }

  private void checkCompaction(String topic, Config config) {
    ConfigEntry cleanup = config.get(TopicConfig.CLEANUP_POLICY_CONFIG);
    boolean compacted =
        cleanup != null
            && cleanup.value() != null
            && cleanup.value().contains(TopicConfig.CLEANUP_POLICY_COMPACT);
    if (compacted && topic.equals(settings.markerTopic())) {
      throw job.refuse(
          "markerTopic",
          topic + " (" + TopicConfig.CLEANUP_POLICY_CONFIG + " is " + cleanup.value() + ")",
          "Compaction would remove the markers: use a topic that is not compacted");
    }
    if (compacted
        && settings.markerTopic() == null
        && job.guarantee() == DeliveryGuarantee.EXACTLY_ONCE) {
      warn(
          "Topic {} is compacted: once a coordinator has forgotten a transaction, compaction may"
              + " have removed the record that proves its outcome, and the job would stop and ask."
              + " Set a marker topic, not compacted, with setMarkerTopic",
          topic);
    }
  }

  private void checkTransactionalId() throws InterruptedException {
    String id =
        new ExternalId(subtask.sinkName(), subtask.subtask(), subtask.attemptNonce(), 0).toString();
    try {
      coordinators.describe(List.of(id));
    } catch (TransactionalIdAuthorizationException denied) {
      throw refuseIds();
    } catch (UnsupportedVersionException tooOld) {
      throw job.refuse(
          "the broker's version",
          "too old to describe transactions",
          "Exactly-once needs brokers of 3.0 or newer; or choose AT_LEAST_ONCE");
    }
  }

  /** The user may not look at, or begin, what the sink would begin. */
  SetupRefusedException refuseIds() {
    return job.refuse(
        "transactionalIdPrefix",
        subtask.sinkName() + " (access denied)",
        "Grant the user DESCRIBE and WRITE on transactional ids with the prefix '"
            + subtask.sinkName()
            + "/'");
  }

  private void checkTimeout() throws InterruptedException {
    Collection<Node> nodes = coordinators.nodes().values();
    if (nodes.isEmpty()) {
      return;
    }
    Config config = config(ConfigResource.Type.BROKER, nodes.iterator().next().idString());
    Long max = config == null ? null : number(config.get(MAX_TIMEOUT));
    if (max != null && settings.transactionTimeout().toMillis() > max) {
      throw job.refuse(
          "transactionTimeout",
          settings.transactionTimeout().toMillis() + " ms",
          "The brokers allow at most "
              + max
              + " ms: lower it with setTransactionTimeout, or raise "
              + MAX_TIMEOUT
              + " on the brokers");
    }
  }

  private void logToleratedOutage() {
    Duration outage =
        settings
            .transactionTimeout()
            .minus(job.checkpointInterval().orElse(Duration.ZERO))
            .minus(job.restartAllowance());
    if (outage.compareTo(SHORT_OUTAGE) < 0) {
      warn(
          "Sink '{}' tolerates an outage of {} only (transaction timeout {} less checkpoint interval"
              + " and restart): after a longer one Kafka aborts prepared transactions, which is then"
              + " reported as a loss. Raise it with setTransactionTimeout, up to the brokers' {}",
          job.sinkName(),
          outage,
          settings.transactionTimeout(),
          MAX_TIMEOUT);
    } else if (subtask.subtask() == 0) {
      LOG.info("Sink '{}' tolerates an outage of {}", job.sinkName(), outage);
    }
  }

  private void warn(String message, Object... arguments) {
    if (subtask.subtask() == 0) {
      LOG.warn(message, arguments);
    }
  }

  /** Null if the user may not read it: then nothing is checked, which is no reason to refuse. */
  private @Nullable Config config(ConfigResource.Type type, String name)
      throws InterruptedException {
    ConfigResource resource = new ConfigResource(type, name);
    try {
      Map<ConfigResource, Config> configs =
          Coordinators.await(coordinators.admin().describeConfigs(List.of(resource)).all());
      return configs.get(resource);
    } catch (SetupRefusedException refused) {
      throw refused;
    } catch (KafkaException unreadable) {
      warn(
          "The configuration of {} {} cannot be read ({}): settings that depend on it are not"
              + " checked. Grant the user DESCRIBE_CONFIGS to have them checked",
          type,
          name,
          String.valueOf(unreadable.getMessage()));
      return null;
    }
  }

  private static @Nullable Long number(@Nullable ConfigEntry entry) {
    return entry == null || entry.value() == null ? null : Long.valueOf(entry.value());
  }
}
