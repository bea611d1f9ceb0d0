package dev.twophase.kafka;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionalConnector;
import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.EngineClock;
import dev.twophase.internal.engine.ProtocolListener;
import dev.twophase.kafka.internal.client.KafkaClients;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Opening;
import dev.twophase.testkit.connector.Prepared;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.serialization.SimpleStringSchema;

/** Kafka sinks and their connectors, opened as tests want them. */
public final class Sinks {

  private Sinks() {}

  public static DrivenConnector<String, ?, ?> writer(
      TransactionalConnector<String, ?, ?> connector, String name) throws Exception {
    return writer(connector, name, 0);
  }

  public static DrivenConnector<String, ?, ?> writer(
      TransactionalConnector<String, ?, ?> connector, String name, int subtask) throws Exception {
    return DrivenConnector.open(connector, Opening.writer(name).at(subtask, subtask + 1));
  }

  public static DrivenConnector<String, ?, ?> committer(
      TransactionalConnector<String, ?, ?> connector, String name) throws Exception {
    return DrivenConnector.open(connector, Opening.committer(name));
  }

  /** As the adapters do: whoever does not know the outcome asks again, and says so in the log. */
  public static <H> void commitByEngine(
      DrivenConnector<String, ?, H> committer, PreparedTransaction<H> prepared) throws Exception {
    new CommitEngine<>(
            committer.connector(),
            SinkOptions.defaults(),
            EngineClock.system(),
            () -> 0.5,
            ProtocolListener.NONE)
        .commit(List.of(prepared), (settled, how) -> {});
  }

  /** Of checkpoint 7, begun just now, with two records; the producer that wrote it is there. */
  @SuppressWarnings("unchecked") // made by a copy of the same connector
  public static <H> PreparedTransaction<H> live(
      DrivenConnector<String, ?, H> writer, Prepared prepared) throws Exception {
    PreparedTransaction<H> restored = restored(writer, prepared);
    return new PreparedTransaction<>(
        restored.id(),
        restored.checkpointId(),
        restored.begunAt(),
        restored.preparedAt(),
        restored.records(),
        Optional.of((H) prepared.live()),
        List.of());
  }

  /** Likewise, and nothing but its bytes is left. */
  public static <H> PreparedTransaction<H> restored(
      DrivenConnector<String, ?, H> committer, Prepared prepared) throws Exception {
    return committer.restored(prepared, 7, System.currentTimeMillis(), 2);
  }

  /** A sink of strings to that topic of the shared cluster. */
  public static TransactionalKafkaSink<String> to(String topic, String name) {
    return named(name).setTopic(topic).setValueSerializer(new SimpleStringSchema());
  }

  /** A sink to the shared cluster that does not know yet what to write and where. */
  public static TransactionalKafkaSink<String> named(String name) {
    return TransactionalKafkaSink.<String>builder()
        .setBootstrapServers(SharedKafka.cluster().bootstrapServers())
        .setTransactionalIdPrefix(name);
  }

  /** For tests of other packages. */
  public static TransactionalKafkaSink<String> withClients(
      TransactionalKafkaSink<String> sink, KafkaClients clients) {
    return sink.setClients(clients);
  }
}
