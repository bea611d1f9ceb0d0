package dev.twophase.kafka.internal.client;

import java.io.Serializable;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes clients. Travels with the job; tests put faults in front of what it makes. */
public interface KafkaClients extends Serializable {

  Producer<byte[], byte[]> producer(Properties properties);

  Consumer<byte[], byte[]> consumer(Properties properties);

  Admin admin(Properties properties);

  EndTransactions endTransactions(Properties properties);

  /** The ones that talk to a cluster. */
  static KafkaClients real() {
    return new Real();
  }

  /** See {@link #real()}. */
  record Real() implements KafkaClients {

    @Override
    public Producer<byte[], byte[]> producer(Properties properties) {
      return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> consumer(Properties properties) {
      return new KafkaConsumer<>(
          properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Admin admin(Properties properties) {
      return Admin.create(properties);
    }

    @Override
    public EndTransactions endTransactions(Properties properties) {
      return new RawEndTransactions(properties);
    }
  }
}
