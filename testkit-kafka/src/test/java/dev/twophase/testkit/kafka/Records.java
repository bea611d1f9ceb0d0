package dev.twophase.testkit.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Writes and reads a topic of one partition. */
record Records(Map<String, String> client, String topic) {

  static Records of(KafkaCluster cluster, String topic) {
    return new Records(cluster.clientProperties(ListenerSecurity.PLAINTEXT), topic);
  }

  Records through(ListenerSecurity security, KafkaCluster cluster) {
    return new Records(cluster.clientProperties(security), topic);
  }

  KafkaProducer<String, String> producer(String transactionalId) {
    Map<String, Object> properties = new HashMap<>(client);
    if (!transactionalId.isEmpty()) {
      properties.put("transactional.id", transactionalId);
    }
    return new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
  }

  void write(String... values) throws Exception {
    try (KafkaProducer<String, String> producer = producer("")) {
      for (String value : values) {
        producer.send(new ProducerRecord<>(topic, value)).get();
      }
    }
  }

  List<String> committed() {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put("isolation.level", "read_committed");
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      List<String> values = new ArrayList<>();
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
      }
      return values;
    }
  }
}
