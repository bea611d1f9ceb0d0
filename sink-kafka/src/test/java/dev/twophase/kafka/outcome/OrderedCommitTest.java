package dev.twophase.kafka.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.CommitOutcome.Lost;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.kafka.internal.commit.KafkaHandle;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C3: a restored subtask's transactions, all given at once, as the engine does. */
class OrderedCommitTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private final String topic = SharedKafka.newTopic(1);
  private final String name = SharedKafka.uniqueName("ordered");

  @AfterEach
  void newestVersion() {
    SharedKafka.cluster().setTransactionVersion(2);
  }

  private List<Prepared> prepareAndCrash(int count) throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(Sinks.to(topic, name).buildConnector(), name)) {
      List<Prepared> prepared = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        prepared.add(writer.prepare(i, Integer.toString(i)));
      }
      return prepared;
    }
  }

  private List<CommitOutcome> commitAll(List<Prepared> prepared) throws Exception {
    return commitAll(Sinks.to(topic, name), prepared);
  }

  private List<CommitOutcome> commitAll(
      TransactionalKafkaSink<String> sink, List<Prepared> prepared) throws Exception {
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink.buildConnector(), name)) {
      return committer.commitAll(prepared);
    }
  }

  private static Void abort(Prepared prepared) throws Exception {
    try (Admin admin = SharedKafka.admin()) {
      String id = ((KafkaHandle) prepared.live()).facts().transactionalId();
      admin.fenceProducers(List.of(id)).all().get();
    }
    SharedKafka.awaitDecisionsWritten();
    return null;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void C3_allThatWasRestoredIsCommittedInOneCall(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    List<Prepared> prepared = prepareAndCrash(8);

    assertThat(commitAll(prepared)).isEqualTo(Collections.nCopies(8, CommitOutcome.committed()));

    assertThat(SharedKafka.committed(topic))
        .isEqualTo(IntStream.range(0, 8).mapToObj(Integer::toString).toList());
    assertThat(commitAll(prepared))
        .isEqualTo(Collections.nCopies(8, CommitOutcome.alreadyCommitted()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void C3_nothingIsCommittedBehindALoss(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    List<Prepared> prepared = prepareAndCrash(4);
    abort(prepared.get(1));

    List<CommitOutcome> outcomes = commitAll(prepared);

    assertThat(outcomes).hasSize(2).startsWith(CommitOutcome.committed());
    assertThat(outcomes.get(1)).isInstanceOf(Lost.class);
    assertThat(SharedKafka.ids(name, TransactionState.ONGOING)).hasSize(2);
    assertThat(SharedKafka.committed(topic)).containsExactly("0");
    // As after a quarantine.
    assertThat(commitAll(prepared.subList(2, 4)))
        .containsExactly(CommitOutcome.committed(), CommitOutcome.committed());
    assertThat(SharedKafka.committed(topic)).containsExactly("0", "2", "3");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void C3_norBehindOneThatIsAbortedBetweenTheLookAtItAndItsEndTxn(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    List<Prepared> prepared = prepareAndCrash(4);
    abortedInTime(prepared, 0);

    assertThat(SharedKafka.ids(name, TransactionState.ONGOING)).hasSize(3);
    assertThat(SharedKafka.committed(topic)).isEmpty();
  }

  @Test
  void C3_norBehindOneThatIsAbortedWhileTheOneBeforeItIsEnded() throws Exception {
    List<Prepared> prepared = prepareAndCrash(4);
    abortedInTime(prepared, 1);

    assertThat(SharedKafka.ids(name, TransactionState.ONGOING)).hasSize(2);
    assertThat(SharedKafka.committed(topic)).containsExactly("0");
  }

  /**
   * The order of decisions is nothing a reader could notice: C3 is about what follows a failure.
   */
  @Test
  void V1_aReaderIsShownTheOrderOfWritingWhateverTheOrderOfTheDecisions() throws Exception {
    List<Prepared> prepared = prepareAndCrash(3);
    commitAll(prepared.subList(2, 3));
    commitAll(prepared.subList(1, 2));
    assertThat(SharedKafka.committed(topic)).isEmpty();

    commitAll(prepared.subList(0, 1));

    assertThat(SharedKafka.committed(topic)).containsExactly("0", "1", "2");
  }

  private void abortedInTime(List<Prepared> prepared, int which) throws Exception {
    TransactionalKafkaSink<String> sink =
        Sinks.withClients(
            Sinks.to(topic, name), Meanwhile.happens(() -> abort(prepared.get(which))));

    List<CommitOutcome> outcomes = commitAll(sink, prepared);

    assertThat(outcomes.subList(0, which)).allMatch(CommitOutcome.committed()::equals);
    assertThat(outcomes.subList(which, outcomes.size())).singleElement().isInstanceOf(Lost.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void C2_whatWasCommittedInBetweenIsPassedOver(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    List<Prepared> prepared = prepareAndCrash(3);
    commitAll(prepared.subList(1, 2));

    assertThat(commitAll(prepared))
        .containsExactly(
            CommitOutcome.committed(), CommitOutcome.alreadyCommitted(), CommitOutcome.committed());
    assertThat(SharedKafka.committed(topic)).containsExactly("0", "1", "2");
  }

  /**
   * After a scale-in one committer has both. Consumers cannot pass the open one, and so cannot tell
   * of the other, whose id has moved on: the open one must not wait for that.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void C7_aProofThatWaitsForAnotherSubtasksTransactionDoesNotHoldThatUp(int version)
      throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    TransactionalKafkaSink<String> sink = Sinks.to(topic, name);
    Prepared open;
    Prepared done;
    try (DrivenConnector<String, ?, ?> one = Sinks.writer(sink.buildConnector(), name, 0);
        DrivenConnector<String, ?, ?> other = Sinks.writer(sink.buildConnector(), name, 1)) {
      open = other.prepare(0, "open");
      done = one.prepare(0, "done");
      one.commitLive(done);
      one.prepare(1, "moves the id on");
    }

    assertThat(commitAll(List.of(done, open)))
        .containsExactly(CommitOutcome.alreadyCommitted(), CommitOutcome.committed());
  }
}
