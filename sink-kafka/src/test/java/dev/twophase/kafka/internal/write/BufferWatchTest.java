package dev.twophase.kafka.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.internal.client.ClientProperties;
import dev.twophase.kafka.internal.client.KafkaClients;
import dev.twophase.kafka.start.CapturedLog;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever writes while no broker takes anything is told why nothing moves. */
class BufferWatchTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private static final Duration NEVER = Duration.ofDays(1);

  private final String name = SharedKafka.uniqueName("full");

  private static ClientProperties properties() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", SharedKafka.cluster().bootstrapServers());
    properties.put("buffer.memory", "20000");
    properties.put("batch.size", "1000");
    properties.put("max.block.ms", "600");
    return new ClientProperties(properties);
  }

  @Test
  void aFullBufferIsToldOfWhileTheBrokersTakeNothing() throws Exception {
    String topic = SharedKafka.newTopic(1);
    Producer<byte[], byte[]> producer = KafkaClients.real().producer(properties().producer(name));
    try (CapturedLog log = new CapturedLog(BufferWatch.class.getName());
        BufferWatch watch = new BufferWatch(name, 0, properties(), Duration.ofMillis(100))) {
      producer.partitionsFor(topic);
      watch.watch(BufferWatch.Buffer.of(producer));
      SharedKafka.cluster().broker(1).freeze();
      // One that finds no room in time is refused at once.
      while (!producer.send(new ProducerRecord<>(topic, new byte[500])).isDone()) {
        assertThat(log.text()).isEmpty();
      }
      assertThat(log.text())
          .containsOnlyOnce("WARN")
          .contains(
              "Sink '" + name + "'",
              "100 ms",
              SharedKafka.cluster().bootstrapServers(),
              "600 ms at most (max.block.ms)");
    } finally {
      producer.close(Duration.ZERO);
    }
  }

  /** Busy brokers keep a task waiting all the time, but not in one wait. */
  @Test
  void aBufferInWhichThereIsRoomNowAndThenIsNotToldOf() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (CapturedLog log = new CapturedLog(BufferWatch.class.getName());
        BufferWatch watch = new BufferWatch(name, 0, properties(), NEVER)) {
      watch.watch(new BufferWatch.Buffer(metric(new AtomicLong(1)), metric(nanos)));
      for (int look = 0; look < 3; look++) {
        nanos.incrementAndGet();
        watch.look(NEVER);
      }
      assertThat(log.text()).isEmpty();
      watch.look(NEVER);
      watch.look(NEVER);
      assertThat(log.text()).containsOnlyOnce("WARN");
    }
  }

  private static Metric metric(AtomicLong value) {
    return new Metric() {
      @Override
      public MetricName metricName() {
        return new MetricName("test", "test", "", Map.of());
      }

      @Override
      public Object metricValue() {
        return (double) value.get();
      }
    };
  }
}
