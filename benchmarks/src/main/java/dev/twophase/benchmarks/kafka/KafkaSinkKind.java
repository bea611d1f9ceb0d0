package dev.twophase.benchmarks.kafka;

import dev.twophase.kafka.TransactionalKafkaSink;
import java.time.Duration;
import java.util.Properties;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;

/** The sinks compared, with the same transaction timeout. */
enum KafkaSinkKind {
  OURS {
    @Override
    Sink<String> sink(String bootstrapServers, String topic, Properties clients) {
      return ours(bootstrapServers, topic, clients, DeliveryGuarantee.EXACTLY_ONCE);
    }
  },
  OURS_AT_LEAST_ONCE {
    @Override
    Sink<String> sink(String bootstrapServers, String topic, Properties clients) {
      return ours(bootstrapServers, topic, clients, DeliveryGuarantee.AT_LEAST_ONCE);
    }
  },
  FLINK {
    @Override
    Sink<String> sink(String bootstrapServers, String topic, Properties clients) {
      return KafkaSink.<String>builder()
          .setBootstrapServers(bootstrapServers)
          .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
          .setTransactionalIdPrefix(topic)
          .setKafkaProducerConfig(clients)
          .setProperty("transaction.timeout.ms", Long.toString(TIMEOUT.toMillis()))
          .setRecordSerializer(
              KafkaRecordSerializationSchema.<String>builder()
                  .setTopic(topic)
                  .setValueSerializationSchema(new SimpleStringSchema())
                  .build())
          .build();
    }
  };

  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  /** To a topic, whose name is also the prefix of the transactional ids. */
  abstract Sink<String> sink(String bootstrapServers, String topic, Properties clients);

  /** The same with the clients' defaults. */
  Sink<String> sink(String bootstrapServers, String topic) {
    return sink(bootstrapServers, topic, new Properties());
  }

  private static Sink<String> ours(
      String bootstrapServers, String topic, Properties clients, DeliveryGuarantee guarantee) {
    return TransactionalKafkaSink.<String>builder()
        .setBootstrapServers(bootstrapServers)
        .setDeliveryGuarantee(guarantee)
        .setTransactionalIdPrefix(topic)
        .setProperties(clients)
        .setTransactionTimeout(TIMEOUT)
        .setTopic(topic)
        .setValueSerializer(new SimpleStringSchema())
        .buildSink();
  }
}
