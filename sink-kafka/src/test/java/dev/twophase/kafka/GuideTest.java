package dev.twophase.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the guide shows does what it says. */
class GuideTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  @Test
  void theJobOfTheGuideWritesItsRecordsOnce() throws Exception {
    SharedKafka.cluster().createTopic("orders", 2);
    String bootstrapServers = SharedKafka.cluster().bootstrapServers();
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    DataStream<String> stream =
        env.fromSequence(1, 1_000).map(number -> "order " + number).returns(Types.STRING);
    // tag::job[]
    TransactionalKafkaSink<String> orders =
        TransactionalKafkaSink.<String>builder()
            .setBootstrapServers(bootstrapServers)
            .setTransactionalIdPrefix("orders")
            .setTopic("orders")
            .setValueSerializer(new SimpleStringSchema());

    env.enableCheckpointing(1_000);
    stream.sinkTo(orders.buildSink()).uid("orders-sink");
    env.execute();
    // end::job[]
    assertThat(SharedKafka.committed("orders")).hasSize(1_000).doesNotHaveDuplicates();
  }
}
