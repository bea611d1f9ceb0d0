package dev.twophase.kafka.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;

/** What can be told of producers without a broker. */
class ProducerPoolTest {

  @Test
  @SuppressWarnings({"NullAway", "resource"}) // nobody is asked of what is free
  void producersThatWereLetGoOfAreNotCounted() throws Exception {
    List<LiveProducer> made = new ArrayList<>();
    ProducerPool pool =
        new ProducerPool(
            slot -> {
              LiveProducer producer = new LiveProducer(slot, "id-" + slot, new MockProducer<>(), 2);
              made.add(producer);
              return producer;
            },
            null);
    pool.warmUp(2);
    assertThat(pool.size()).isEqualTo(2);
    made.get(0).close();
    assertThat(pool.size()).isEqualTo(1);
    pool.close();
    assertThat(pool.size()).isZero();
  }

  @Test
  void aRecordThatIsLargerThanTheBufferIsToldByTheBuffersSetting() {
    KafkaException told =
        SendErrors.explain(
            "A record could not be written",
            new RecordTooLargeException(
                "The message is 99 bytes when serialized which is larger than the total memory"
                    + " buffer you have configured with the buffer.memory configuration."));
    assertThat(told).hasMessageEndingWith("Raise buffer.memory with setProperty");
  }
}
