package dev.twophase.kafka;

import dev.twophase.CommitOutcome;
import dev.twophase.Unfinished;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.kafka.clients.producer.KafkaProducer;

/** A crash and the recovery from it, told in one line; runs in any class loader. */
public final class RecoveryProbe {

  private static final int TRANSACTIONS = 10;

  private RecoveryProbe() {}

  /** Leaves ten transactions prepared and one open, commits the ones and aborts the other. */
  public static String run(String bootstrapServers, String topic, String name) throws Exception {
    TransactionalKafkaSink<String> sink =
        TransactionalKafkaSink.<String>builder()
            .setBootstrapServers(bootstrapServers)
            .setTransactionalIdPrefix(name)
            .setTopic(topic)
            .setValueSerializer(new SimpleStringSchema());
    List<Prepared> prepared = new ArrayList<>();
    try (DrivenConnector<String, ?, ?> crashed = Sinks.writer(sink.buildConnector(), name)) {
      for (int i = 0; i < TRANSACTIONS; i++) {
        prepared.add(crashed.prepare(i, "record " + i));
      }
      crashed.prepare(TRANSACTIONS, "lingering");
    }
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink.buildConnector(), name)) {
      int committed = count(CommitOutcome.committed(), committer.commitAll(prepared));
      int already = count(CommitOutcome.alreadyCommitted(), committer.commitAll(prepared));
      List<Unfinished> lingering = committer.unfinished();
      for (Unfinished each : lingering) {
        committer.connector().abort(each);
      }
      return "kafka-clients "
          + clientVersion()
          + ": "
          + committed
          + " committed, "
          + already
          + " already committed, "
          + lingering.size()
          + " lingering aborted, "
          + committer.unfinished().size()
          + " left";
    }
  }

  private static String clientVersion() throws Exception {
    Properties known = new Properties();
    try (InputStream in =
        KafkaProducer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      known.load(in);
    }
    return known.getProperty("version");
  }

  private static int count(CommitOutcome outcome, List<CommitOutcome> outcomes) {
    return (int) outcomes.stream().filter(outcome::equals).count();
  }
}
