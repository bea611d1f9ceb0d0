package dev.twophase.kafka.internal.client;

import java.util.Properties;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Clients that say for which sink, and for which setting, they cannot be made. */
record TellingClients(KafkaClients clients, String sinkName) implements KafkaClients {

  private static final long serialVersionUID = 1L;

  @Override
  public Producer<byte[], byte[]> producer(Properties properties) {
    return make(clients::producer, properties);
  }

  @Override
  public Consumer<byte[], byte[]> consumer(Properties properties) {
    return make(clients::consumer, properties);
  }

  @Override
  public Admin admin(Properties properties) {
    return make(clients::admin, properties);
  }

  @Override
  public EndTransactions endTransactions(Properties properties) {
    return make(clients::endTransactions, properties);
  }

  private <C> C make(Function<Properties, C> maker, Properties properties) {
    try {
      return maker.apply(properties);
    } catch (InterruptException interrupted) {
      throw interrupted;
    } catch (KafkaException error) {
      throw new NotMade(sinkName, properties).because(error);
    }
  }
}
