package dev.twophase.benchmarks.kafka;

import dev.twophase.kafka.TransactionalKafkaSink;
import java.time.Duration;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;

/** The sinks compared, with the clients' defaults and the same transaction timeout. */
enum KafkaSinkKind {
  OURS {
    @Override
    Sink<String> sink(String bootstrapServers, String topic, String prefix) {
      return ours(bootstrapServers, topic, prefix, DeliveryGuarantee.EXACTLY_ONCE);
    }
  },
  OURS_AT_LEAST_ONCE {
    @Override
    Sink<String> sink(String bootstrapServers, String topic, String prefix) {
      return ours(bootstrapServers, topic, prefix, DeliveryGuarantee.AT_LEAST_ONCE);
    }
  },
  FLINK {
    @Override
    Sink<String> sink(String bootstrapServers, String topic, String prefix) {
      return KafkaSink.<String>builder()
          .setBootstrapServers(bootstrapServers)
          .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
          .setTransactionalIdPrefix(prefix)
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

  abstract Sink<String> sink(String bootstrapServers, String topic, String prefix);

  private static Sink<String> ours(
      String bootstrapServers, String topic, String prefix, DeliveryGuarantee guarantee) {
    return TransactionalKafkaSink.<String>builder()
        .setBootstrapServers(bootstrapServers)
        .setDeliveryGuarantee(guarantee)
        .setTransactionalIdPrefix(prefix)
        .setTransactionTimeout(TIMEOUT)
        .setTopic(topic)
        .setValueSerializer(new SimpleStringSchema())
        .buildSink();
  }
}
