package dev.twophase.kafka.chaos;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A read_committed consumer that reads while the job runs, as downstream jobs do. */
final class Reader implements AutoCloseable {

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  Reader(String bootstrapServers, String topic, int partitionCount) {
    List<TopicPartition> partitions =
        java.util.stream.IntStream.range(0, partitionCount)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    thread = new Thread(() -> read(bootstrapServers, partitions), "reader of " + topic);
    thread.setDaemon(true);
    thread.start();
  }

  /** In the order in which they were read. */
  List<String> seen() {
    return List.copyOf(seen);
  }

  private void read(String bootstrapServers, List<TopicPartition> partitions) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 60_000);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (!closed) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> seen.add(record.value()));
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
