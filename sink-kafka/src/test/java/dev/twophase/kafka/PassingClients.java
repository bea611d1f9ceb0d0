package dev.twophase.kafka;

import dev.twophase.kafka.internal.client.EndTransactions;
import dev.twophase.kafka.internal.client.KafkaClients;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** The clients that talk to a cluster, all but those that a test puts something in front of. */
public interface PassingClients extends KafkaClients {

  @Override
  default Producer<byte[], byte[]> producer(Properties properties) {
    return KafkaClients.real().producer(properties);
  }

  @Override
  default Consumer<byte[], byte[]> consumer(Properties properties) {
    return KafkaClients.real().consumer(properties);
  }

  @Override
  default Admin admin(Properties properties) {
    return KafkaClients.real().admin(properties);
  }

  @Override
  default EndTransactions endTransactions(Properties properties) {
    return KafkaClients.real().endTransactions(properties);
  }
}
