package dev.twophase.kafka.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.twophase.CommitOutcome;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.kafka.internal.commit.KafkaHandle;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.kafka.KafkaExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** C7: coordinators move from one broker to the other while transactions are prepared. */
class MovedCoordinatorTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String STATE = "__transaction_state";
  private static final int STATE_PARTITIONS = 3;

  @RegisterExtension
  static final KafkaExtension KAFKA = new KafkaExtension(KafkaCluster.builder().nodes(2));

  private final String name = SharedKafka.uniqueName("moved");

  private TransactionalKafkaSink<String> sink() {
    return TransactionalKafkaSink.<String>builder()
        .setBootstrapServers(KAFKA.cluster().bootstrapServers())
        .setTransactionalIdPrefix(name)
        .setTopic(name)
        .setValueSerializer(new SimpleStringSchema());
  }

  @Test
  void C7_whatMovesBetweenTheLookAndEndTxnIsCommittedByItsNewCoordinator() throws Exception {
    KAFKA.cluster().createTopic(name, 1);
    List<Prepared> prepared = new ArrayList<>();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), name)) {
      for (int i = 0; i < 5; i++) {
        prepared.add(writer.prepare(i, Integer.toString(i)));
      }
    }
    List<CommitOutcome> outcomes = new ArrayList<>();
    TransactionalKafkaSink<String> sink =
        Sinks.withClients(sink(), Meanwhile.happens(() -> moveCoordinatorOf(prepared.get(0))));
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink.buildConnector(), name)) {
      while (outcomes.size() < prepared.size()) {
        outcomes.addAll(committer.commitAll(prepared.subList(outcomes.size(), prepared.size())));
      }
    }

    assertThat(outcomes).isEqualTo(Collections.nCopies(5, CommitOutcome.committed()));
    assertThat(Meanwhile.answers()).contains("NOT_COORDINATOR");
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(SharedKafka.committed(KAFKA.cluster(), name))
                    .containsExactly("0", "1", "2", "3", "4"));
  }

  private Void moveCoordinatorOf(Prepared prepared) throws Exception {
    String id = ((KafkaHandle) prepared.live()).facts().transactionalId();
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", KAFKA.cluster().bootstrapServers()))) {
      int from = coordinator(admin, id);
      int to = 3 - from;
      List<TopicPartition> all = new ArrayList<>();
      for (int partition = 0; partition < STATE_PARTITIONS; partition++) {
        all.add(new TopicPartition(STATE, partition));
      }
      admin
          .alterPartitionReassignments(
              all.stream()
                  .collect(
                      Collectors.toMap(
                          Function.identity(),
                          each -> Optional.of(new NewPartitionReassignment(List.of(to, from))))))
          .all()
          .get();
      await()
          .atMost(LONG)
          .until(() -> admin.listPartitionReassignments().reassignments().get().isEmpty());
      admin.electLeaders(ElectionType.PREFERRED, Set.copyOf(all)).partitions().get();
      await().atMost(LONG).ignoreExceptions().until(() -> coordinator(admin, id) == to);
    }
    return null;
  }

  private static int coordinator(Admin admin, String id) throws Exception {
    return admin.describeTransactions(List.of(id)).description(id).get().coordinatorId();
  }
}
