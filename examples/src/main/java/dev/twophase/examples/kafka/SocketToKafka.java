package dev.twophase.examples.kafka;

import dev.twophase.kafka.TransactionalKafkaSink;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Lines of a socket to a topic: {@code java … SocketToKafka HOST PORT BOOTSTRAP-SERVERS TOPIC}; try
 * it with {@code nc -lk 7777}. No line is ever there twice. A socket cannot be read again, so lines
 * that arrived since the last checkpoint are gone if the job crashes: exactly-once needs a source
 * that can go back.
 */
public final class SocketToKafka {

  private SocketToKafka() {}

  /** Runs the job in this JVM until the socket is closed. */
  public static void main(String[] arguments) throws Exception {
    run(arguments[0], Integer.parseInt(arguments[1]), arguments[2], arguments[3]);
  }

  static void run(String host, int port, String bootstrapServers, String topic) throws Exception {
    // tag::job[]
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.enableCheckpointing(1_000);

    env.socketTextStream(host, port)
        .sinkTo(
            TransactionalKafkaSink.<String>builder()
                .setBootstrapServers(bootstrapServers)
                .setTransactionalIdPrefix("lines")
                .setTopic(topic)
                .setValueSerializer(new SimpleStringSchema())
                .buildSink())
        .uid("kafka-sink");

    env.execute();
    // end::job[]
  }
}
