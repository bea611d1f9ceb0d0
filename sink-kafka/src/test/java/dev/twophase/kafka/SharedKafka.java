package dev.twophase.kafka;

import static org.awaitility.Awaitility.await;

import dev.twophase.kafka.internal.commit.KafkaHandle;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.kafka.ListenerSecurity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One broker for all test classes of the module: it ends with the JVM. Tests keep apart by topics
 * and sink names; what one kills or freezes is brought back before the next.
 */
public final class SharedKafka implements BeforeAllCallback, AfterEachCallback {

  private static final AtomicInteger NAMES = new AtomicInteger();
  private static KafkaCluster cluster;
  private static KafkaConsumer<String, String> reader;

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    cluster.restoreAll();
  }

  public static synchronized KafkaCluster cluster() {
    if (cluster == null) {
      cluster =
          KafkaCluster.builder()
              .security(ListenerSecurity.SASL_PLAINTEXT)
              .security(ListenerSecurity.SSL)
              .property(
                  "authorizer.class.name",
                  "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
              .property("super.users", "User:ANONYMOUS")
              .property("allow.everyone.if.no.acl.found", true)
              .start();
    }
    return cluster;
  }

  /** A name that no other test has. */
  public static String uniqueName(String base) {
    return base + "-" + NAMES.incrementAndGet();
  }

  /** A new topic of that many partitions. */
  public static String newTopic(int partitions) {
    String topic = uniqueName("topic");
    cluster().createTopic(topic, partitions);
    return topic;
  }

  public static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", cluster().bootstrapServers()));
  }

  /** Values that a read_committed consumer is given, partition by partition. */
  public static List<String> committed(String topic) throws Exception {
    return values(committedRecords(topic));
  }

  /** What a read_committed consumer is given, partition by partition. */
  public static List<ConsumerRecord<String, String>> committedRecords(String topic)
      throws Exception {
    awaitDecisionsWritten();
    return committedRecordsNow(topic);
  }

  /**
   * The answer to a commit comes when it is decided, and the decision is written to the partitions
   * after that.
   */
  public static void awaitDecisionsWritten() throws Exception {
    try (Admin admin = admin()) {
      ListTransactionsOptions decided =
          new ListTransactionsOptions()
              .filterStates(
                  List.of(TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> admin.listTransactions(decided).all().get().isEmpty());
    }
  }

  /**
   * Until the commit of this transaction is written to its partitions: only then can its producer
   * go on, and one that has to wait for long is given company.
   */
  public static void awaitWritten(Admin admin, Prepared committed) {
    String id = ((KafkaHandle) committed.live()).facts().transactionalId();
    await()
        .atMost(Duration.ofSeconds(60))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .pollInSameThread()
        .until(
            () ->
                admin.describeTransactions(List.of(id)).description(id).get().state()
                    == TransactionState.COMPLETE_COMMIT);
  }

  private static synchronized List<ConsumerRecord<String, String>> committedRecordsNow(
      String topic) {
    KafkaConsumer<String, String> kept = reader;
    if (kept == null) {
      kept = reader(cluster());
      reader = kept;
    }
    return committed(kept, topic);
  }

  public static List<String> committed(KafkaCluster kafka, String topic) {
    try (KafkaConsumer<String, String> consumer = reader(kafka)) {
      return values(committed(consumer, topic));
    }
  }

  /** A consumer that is given what is committed only. */
  public static KafkaConsumer<String, String> reader(KafkaCluster kafka) {
    return reader(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  public static KafkaConsumer<String, String> reader(Map<String, ?> cluster) {
    Map<String, Object> properties = new HashMap<>(cluster);
    properties.put("isolation.level", "read_committed");
    properties.put("retry.backoff.ms", 5);
    // Closing waits for the fetch that waits for more.
    properties.put("fetch.max.wait.ms", 5);
    return new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
  }

  private static List<String> values(List<ConsumerRecord<String, String>> records) {
    return records.stream().map(ConsumerRecord::value).toList();
  }

  private static List<ConsumerRecord<String, String>> committed(
      KafkaConsumer<String, String> consumer, String topic) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      consumer.poll(Duration.ofMillis(50)).forEach(records::add);
    }
    return records;
  }

  /** Transactional ids of a sink in these states; in any state if none is given. */
  public static List<String> ids(String sinkName, TransactionState... states) throws Exception {
    try (Admin admin = admin()) {
      return ids(admin, sinkName, states);
    }
  }

  public static List<String> ids(Admin admin, String sinkName, TransactionState... states)
      throws Exception {
    ListTransactionsOptions wanted =
        new ListTransactionsOptions().filterStates(Arrays.asList(states));
    return admin.listTransactions(wanted).all().get().stream()
        .map(TransactionListing::transactionalId)
        .filter(id -> id.startsWith(sinkName + "/"))
        .sorted()
        .toList();
  }
}
