package dev.twophase.examples.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What a read_committed consumer sees of the output topic, one file of lines for each partition.
 * Arguments: bootstrap servers, file of client properties or nothing, prefix of the topics,
 * directory.
 */
public final class TopicCopy {

  private TopicCopy() {}

  public static void main(String[] arguments) throws IOException {
    Topics topics = Topics.parse(arguments[0], arguments[1], arguments[2]);
    Properties properties = topics.client();
    properties.setProperty(
        "isolation.level",
        IsolationLevel.READ_COMMITTED.toString().toLowerCase(java.util.Locale.ROOT));
    Path directory = Files.createDirectories(Path.of(arguments[3]));
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topics.output()).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      for (TopicPartition partition : partitions) {
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        Path file = directory.resolve("partition-" + partition.partition() + ".txt");
        try (OutputStream out = Files.newOutputStream(file)) {
          copy(consumer, partition, ends.getOrDefault(partition, 0L), out);
        }
      }
    }
  }

  private static void copy(
      KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long end, OutputStream out)
      throws IOException {
    while (consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
        out.write(record.value());
        out.write('\n');
      }
    }
  }
}
