package dev.twophase.kafka.internal.client;

import java.io.Serializable;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What the job author set, cut to what each kind of client knows, so that none warns of settings
 * meant for another. Never shows values: they may be secrets (S2).
 */
public final class ClientProperties implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final Pattern SECRET_NAME =
      Pattern.compile("(?i)passw|secret|token|credential|key|auth|jaas");

  private static final int PAUSE_MILLIS = 20;
  private static final String CHECK = "check";
  private static final int LONGEST_ANSWER_MILLIS = 10_000;

  /**
   * Kafka's own is a quarter of it. A sink writes as fast as it can, so that batches fill; each
   * costs client and broker the same, however large.
   */
  private static final String DEFAULT_BATCH_SIZE = "65536";

  /** Kafka's own. */
  private static final String DEFAULT_BLOCK_MILLIS = "60000";

  private static final String DEFAULT_DELIVERY_MILLIS = "120000";
  private static final String DEFAULT_REQUEST_MILLIS = "30000";
  private static final String DEFAULT_LINGER_MILLIS = "5";

  private final Properties properties;

  public ClientProperties(Properties properties) {
    this.properties = new Properties();
    this.properties.putAll(properties);
  }

  /** For a producer that writes without transactions. */
  public Properties producer(String clientId) {
    Properties cut = cutTo(ProducerConfig.configNames(), clientId);
    cut.put(ProducerConfig.ACKS_CONFIG, "all");
    cut.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, DEFAULT_BATCH_SIZE);
    return cut;
  }

  /** For a producer of one transactional id. */
  public Properties transactionalProducer(String transactionalId, Duration timeout) {
    Properties cut = producer(transactionalId);
    cut.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    // Said aloud, so that settings against it are refused by name.
    cut.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    cut.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) timeout.toMillis());
    // The producer also pauses for so long, sending nothing, when it has found a coordinator.
    cut.putIfAbsent(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, PAUSE_MILLIS);
    return cut;
  }

  /** For a consumer that belongs to no group and reads where it is told to. */
  public Properties consumer(String clientId, boolean committedOnly) {
    Properties cut = cutTo(ConsumerConfig.configNames(), clientId);
    cut.remove(ConsumerConfig.GROUP_ID_CONFIG);
    // Those that the job author sets are the producer's: the name is the same, the type is not.
    cut.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    cut.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    cut.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    cut.put(
        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
        committedOnly ? "read_committed" : "read_uncommitted");
    cut.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    // Closing a consumer waits for the fetch that waits for more.
    cut.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
    return cut;
  }

  /** For a consumer that is asked for its group's metadata and nothing else. */
  public Properties groupConsumer(String group) {
    Properties cut = consumer(group, true);
    cut.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    return cut;
  }

  /** For an admin client. */
  public Properties admin(String clientId) {
    return cutTo(AdminClientConfig.configNames(), clientId);
  }

  /**
   * Checks the values as the clients will. A class that is not found here may be there on the
   * cluster, and is left to the clients.
   *
   * @throws IllegalStateException naming property, value and what is wrong with it
   */
  public void check(Duration transactionTimeout, boolean exactlyOnce) {
    Properties producer =
        exactlyOnce ? transactionalProducer(CHECK, transactionTimeout) : producer(CHECK);
    producer.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    producer.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    Properties consumer = groupConsumer(CHECK);
    consumer.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    consumer.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    Properties admin = admin(CHECK);
    try {
      new SettingsCheck(
              new ProducerConfig(withoutClassesFromElsewhere(producer, ProducerConfig.configDef())),
              new ConsumerConfig(withoutClassesFromElsewhere(consumer, ConsumerConfig.configDef())),
              new AdminClientConfig(
                  withoutClassesFromElsewhere(admin, AdminClientConfig.configDef())))
          .check();
    } catch (ConfigException wrong) {
      throw new IllegalStateException(
          "A property of the Kafka clients is wrong: "
              + wrong.getMessage()
              + ". Change it, or leave it out of setProperty and setProperties",
          wrong);
    }
  }

  /** So that one class that is not here does not keep the other settings from being checked. */
  private static Properties withoutClassesFromElsewhere(Properties properties, ConfigDef known) {
    Properties found = new Properties();
    properties.forEach(
        (name, value) -> {
          ConfigDef.ConfigKey key = known.configKeys().get(name.toString());
          if (key == null || key.type != ConfigDef.Type.CLASS || isHere(value)) {
            found.put(name, value);
          }
        });
    return found;
  }

  private static boolean isHere(Object type) {
    try {
      ConfigDef.parseType("class", type, ConfigDef.Type.CLASS);
      return true;
    } catch (ConfigException | LinkageError elsewhere) {
      return false;
    }
  }

  /** How long a commit waits for one answer: as the author says, but not a minute in silence. */
  public Duration answerTimeout() {
    return Duration.ofMillis(Math.min(callTimeout().toMillis(), LONGEST_ANSWER_MILLIS));
  }

  /** How long clients wait for an answer. */
  public Duration callTimeout() {
    return Duration.ofMillis(
        new AdminClientConfig(admin(CHECK))
            .getInt(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG));
  }

  /** Names that no client knows: a plug-in's, or misspelt. */
  public Set<String> unknown() {
    Set<String> unknown = new TreeSet<>(properties.stringPropertyNames());
    unknown.removeIf(ClientProperties::isOfSomeClient);
    return unknown;
  }

  /** Where the cluster is. */
  public String bootstrapServers() {
    return properties.getProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "");
  }

  /** The producer's max.block.ms. */
  public long longestBlockMillis() {
    return number(ProducerConfig.MAX_BLOCK_MS_CONFIG, DEFAULT_BLOCK_MILLIS);
  }

  /** The producer's delivery.timeout.ms, which it raises to what it allows at least. */
  public long longestDeliveryMillis() {
    return Math.max(
        number(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DEFAULT_DELIVERY_MILLIS),
        number(ProducerConfig.LINGER_MS_CONFIG, DEFAULT_LINGER_MILLIS)
            + number(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, DEFAULT_REQUEST_MILLIS));
  }

  private long number(String name, String otherwise) {
    // The clients trim, too.
    return Long.parseLong(properties.getProperty(name, otherwise).trim());
  }

  /** The producer's batch.size, in bytes. */
  public int batchSize() {
    return (int) number(ProducerConfig.BATCH_SIZE_CONFIG, DEFAULT_BATCH_SIZE);
  }

  /** Drops what only other kinds of clients know; keeps what none knows, such as a plug-in's. */
  private Properties cutTo(Set<String> known, String clientId) {
    Properties cut = new Properties();
    for (String name : properties.stringPropertyNames()) {
      if (known.contains(name) || !isOfSomeClient(name)) {
        cut.put(name, properties.getProperty(name));
      }
    }
    String prefix = properties.getProperty(ProducerConfig.CLIENT_ID_CONFIG);
    cut.put(ProducerConfig.CLIENT_ID_CONFIG, prefix == null ? clientId : prefix + "-" + clientId);
    return cut;
  }

  /** Whether values of that name are never to be shown; a plug-in's can be told by its name. */
  static boolean isSecret(String name) {
    return Stream.of(
                ProducerConfig.configDef(),
                ConsumerConfig.configDef(),
                AdminClientConfig.configDef())
            .map(def -> def.configKeys().get(name))
            .anyMatch(key -> key != null && key.type == ConfigDef.Type.PASSWORD)
        || (!isOfSomeClient(name) && SECRET_NAME.matcher(name).find());
  }

  private static boolean isOfSomeClient(String name) {
    return ProducerConfig.configNames().contains(name)
        || ConsumerConfig.configNames().contains(name)
        || AdminClientConfig.configNames().contains(name);
  }

  @Override
  public String toString() {
    return "client properties " + properties.stringPropertyNames();
  }
}
