package dev.twophase.kafka.contract;

import dev.twophase.kafka.SharedKafka;
import dev.twophase.testkit.TestRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * The topics of the runs of a contract, one each, of one partition. A run reads its topic after
 * every step: each has a consumer for as long as it lasts, which fetches what is new only. What a
 * read_committed consumer has been given never changes.
 */
final class RunTopics {

  private static final Duration POLL = Duration.ofMillis(50);

  private final Map<String, View> views = new ConcurrentHashMap<>();
  private final Queue<KafkaConsumer<String, String>> idle = new ConcurrentLinkedQueue<>();
  private final Map<String, Object> properties;
  private final Admin admin;

  /**
   * @param properties by which clients reach the brokers
   */
  RunTopics(Map<String, ?> properties) {
    this.properties = Map.copyOf(properties);
    this.admin = Admin.create(this.properties);
  }

  private static final class Shared {
    static final RunTopics TOPICS =
        new RunTopics(Map.of("bootstrap.servers", SharedKafka.cluster().bootstrapServers()));
  }

  /** On the broker of all tests, for as long as the JVM lasts. */
  static RunTopics shared() {
    return Shared.TOPICS;
  }

  /** What has been read of one topic. */
  private static final class View {
    final KafkaConsumer<String, String> consumer;
    final TopicPartition partition;
    final List<TestRecord> records = new ArrayList<>();

    View(KafkaConsumer<String, String> consumer, String topic) {
      this.consumer = consumer;
      this.partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seek(partition, 0);
    }

    /** Reads up to the first transaction that is not decided. */
    synchronized List<TestRecord> read() {
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        consumer.poll(POLL).forEach(record -> records.add(TestRecord.fromText(record.value())));
      }
      return List.copyOf(records);
    }
  }

  /** Makes sure that there is such a topic. */
  void create(String topic) {
    views.computeIfAbsent(topic, this::made);
  }

  private View made(String topic) {
    try {
      admin
          .createTopics(List.of(new NewTopic(topic, Optional.of(1), Optional.<Short>empty())))
          .all()
          .get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new IllegalStateException("cannot create " + topic, e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    KafkaConsumer<String, String> kept = idle.poll();
    View view = new View(kept == null ? SharedKafka.reader(properties) : kept, topic);
    // Waits for the leader: the answer to a creation comes before the broker knows of the topic,
    // and a sink that asks by then sees none.
    view.read();
    return view;
  }

  /** What a read_committed consumer is given at this moment. */
  List<TestRecord> committed(String topic) {
    create(topic);
    return views.get(topic).read();
  }

  /** Ids of the transactions of a sink that are open or prepared. */
  List<String> unfinished(String sinkName) throws Exception {
    return SharedKafka.ids(admin, sinkName, TransactionState.ONGOING);
  }

  /** The run is over. */
  void delete(String topic) throws Exception {
    View view = views.remove(topic);
    if (view != null) {
      synchronized (view) {
        view.consumer.unsubscribe();
      }
      idle.add(view.consumer);
      admin.deleteTopics(List.of(topic)).all().get();
    }
  }
}
