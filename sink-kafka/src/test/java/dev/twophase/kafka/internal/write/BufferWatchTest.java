package dev.twophase.kafka.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.internal.client.ClientProperties;
import dev.twophase.kafka.internal.client.KafkaClients;
import dev.twophase.kafka.start.CapturedLog;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
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
    properties.put("linger.ms", "0");
    properties.put("request.timeout.ms", "400");
    properties.put("delivery.timeout.ms", "700");
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

  @Test
  void aBarrierIsToldOfWhileTheBrokersTakeNothing() throws Exception {
    String topic = SharedKafka.newTopic(1);
    Producer<byte[], byte[]> producer = KafkaClients.real().producer(properties().producer(name));
    try (CapturedLog log = new CapturedLog(BufferWatch.class.getName());
        BufferWatch watch = new BufferWatch(name, 0, properties(), Duration.ofMillis(100))) {
      watch.watch(BufferWatch.Buffer.of(producer));
      producer.send(new ProducerRecord<>(topic, new byte[500])).get();
      SharedKafka.cluster().broker(1).freeze();
      Future<?> record = producer.send(new ProducerRecord<>(topic, new byte[500]));
      watch.flush(producer);
      assertThat(record).isDone();
      assertThat(log.text())
          .containsOnlyOnce("WARN")
          .contains(
              "Sink '" + name + "'",
              "behind a barrier",
              SharedKafka.cluster().bootstrapServers(),
              "700 ms at most (delivery.timeout.ms)");
    } finally {
      producer.close(Duration.ZERO);
    }
  }

  /** Nor one flush for the next, when both have as much to write. */
  @Test
  void aBarrierBehindWhichRecordsAreWrittenSlowlyIsNotToldOf() throws Exception {
    AtomicLong free = new AtomicLong();
    try (CapturedLog log = new CapturedLog(BufferWatch.class.getName());
        BufferWatch watch = new BufferWatch(name, 0, properties(), NEVER)) {
      watch.watch(new BufferWatch.Buffer(null, null, metric(free)));
      for (int flush = 0; flush < 3; flush++) {
        watch.flush(flushing(() -> watch.look(NEVER)));
      }
      watch.flush(
          flushing(
              () -> {
                for (int look = 0; look < 3; look++) {
                  free.incrementAndGet();
                  watch.look(NEVER);
                }
              }));
      assertThat(log.text()).isEmpty();
      watch.flush(
          flushing(
              () -> {
                watch.look(NEVER);
                watch.look(NEVER);
              }));
      assertThat(log.text()).containsOnlyOnce("WARN");
    }
  }

  private static Producer<byte[], byte[]> flushing(Runnable meanwhile) {
    return new MockProducer<>() {
      @Override
      public synchronized void flush() {
        meanwhile.run();
      }
    };
  }

  /** Busy brokers keep a task waiting all the time, but not in one wait. */
  @Test
  void aBufferInWhichThereIsRoomNowAndThenIsNotToldOf() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (CapturedLog log = new CapturedLog(BufferWatch.class.getName());
        BufferWatch watch = new BufferWatch(name, 0, properties(), NEVER)) {
      watch.watch(new BufferWatch.Buffer(metric(new AtomicLong(1)), metric(nanos), null));
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
