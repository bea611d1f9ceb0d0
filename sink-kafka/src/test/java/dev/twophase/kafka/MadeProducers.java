package dev.twophase.kafka;

import dev.twophase.kafka.internal.client.KafkaClients;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;

/** Ordinary clients; how many producers were made is counted. */
public record MadeProducers() implements PassingClients {

  // Outside the object, which is serialized with the sink.
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Starts to count at none. */
  public static MadeProducers counted() {
    COUNT.set(0);
    return new MadeProducers();
  }

  public static int count() {
    return COUNT.get();
  }

  @Override
  public Producer<byte[], byte[]> producer(Properties properties) {
    COUNT.incrementAndGet();
    return KafkaClients.real().producer(properties);
  }
}
