package dev.twophase.kafka.contract;

import dev.twophase.kafka.SharedKafka;
import dev.twophase.testkit.TestRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
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
 * The topics of the runs of a contract, one per sink, of one partition. A run reads its topics
 * after every step: each run has a consumer for as long as it lasts, which fetches what is new
 * only. What a read_committed consumer has been given never changes.
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

  /** What has been read of one run's topics. */
  private static final class View {
    final KafkaConsumer<String, String> consumer;
    final Set<TopicPartition> partitions = new LinkedHashSet<>();
    final List<TestRecord> records = new ArrayList<>();

    View(KafkaConsumer<String, String> consumer) {
      this.consumer = consumer;
    }

    synchronized boolean has(String topic) {
      return partitions.contains(new TopicPartition(topic, 0));
    }

    synchronized void add(String topic) {
      TopicPartition partition = new TopicPartition(topic, 0);
      if (partitions.add(partition)) {
        consumer.assign(partitions);
        consumer.seek(partition, 0);
      }
    }

    synchronized List<String> topics() {
      return partitions.stream().map(TopicPartition::topic).toList();
    }

    /** Reads each topic up to the first transaction that is not decided. */
    synchronized List<TestRecord> read() {
      if (partitions.isEmpty()) {
        return List.of();
      }
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(POLL).forEach(record -> records.add(TestRecord.fromText(record.value())));
      }
      return List.copyOf(records);
    }
  }

  /** Makes sure that a run has such a topic. */
  void create(String namespace, String topic) {
    View view = view(namespace);
    if (!view.has(topic)) {
      make(topic);
      view.add(topic);
      // Waits for the leader: the answer to a creation comes before the broker knows of the topic,
      // and a sink that asks by then sees none.
      view.read();
    }
  }

  private View view(String namespace) {
    return views.computeIfAbsent(
        namespace,
        run -> {
          KafkaConsumer<String, String> kept = idle.poll();
          return new View(kept == null ? SharedKafka.reader(properties) : kept);
        });
  }

  private void make(String topic) {
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
  }

  /** What a read_committed consumer is given at this moment. */
  List<TestRecord> committed(String namespace) {
    return view(namespace).read();
  }

  /** Ids of the transactions of a sink that are open or prepared. */
  List<String> unfinished(String sinkName) throws Exception {
    return SharedKafka.ids(admin, sinkName, TransactionState.ONGOING);
  }

  /** The run is over. */
  void delete(String namespace) throws Exception {
    View view = views.remove(namespace);
    if (view != null) {
      List<String> topics = view.topics();
      synchronized (view) {
        view.consumer.unsubscribe();
      }
      idle.add(view.consumer);
      admin.deleteTopics(topics).all().get();
    }
  }
}
