package dev.twophase.kafka.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.twophase.CommitOutcome;
import dev.twophase.Unfinished;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.TransactionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R2, A1, E2: what an attempt leaves behind, and who may end it. */
class LingeringTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private final String topic = SharedKafka.newTopic(2);
  private final String name = SharedKafka.uniqueName("a");

  @AfterEach
  void newestVersion() {
    SharedKafka.cluster().setTransactionVersion(2);
  }

  private TransactionalKafkaSink<String> sink() {
    return Sinks.to(topic, name);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void R2_whatACrashedAttemptLeavesIsListedAndAbortedExactly(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    crashWithOneOpen(name, 3);
    try (DrivenConnector<String, ?, ?> successor = Sinks.writer(sink().buildConnector(), name)) {
      List<Unfinished> lingering = successor.unfinished();
      assertThat(lingering)
          .singleElement()
          .satisfies(each -> assertThat(each.id().subtask()).isEqualTo(3));

      Prepared mine = successor.prepare(0, "mine");
      abortTwice(successor, lingering.get(0));

      assertThat(SharedKafka.ids(name, TransactionState.ONGOING)).hasSize(1);
      assertThat(successor.commit(mine)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(SharedKafka.committed(topic)).containsExactly("mine");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void A1_abortingIsHarmlessToWhatWasCommittedAndToWhatCameAfter(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), name)) {
      Prepared first = writer.prepare(0, "first");
      Unfinished listed = writer.unfinished().get(0);
      writer.commitLive(first);
      Prepared second = writer.prepare(1, "second");

      abortTwice(writer, listed);

      assertThat(writer.commitLive(second)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(SharedKafka.committed(topic)).containsExactlyInAnyOrder("first", "second");
  }

  @Test
  void R2_aSinkWhoseNameBeginsWithAnothersIsNoneOfItsBusiness() throws Exception {
    String longer = name + "b";
    crashWithOneOpen(name, 0);
    crashWithOneOpen(longer, 0);
    try (DrivenConnector<String, ?, ?> one = Sinks.committer(sink().buildConnector(), name);
        DrivenConnector<String, ?, ?> other =
            Sinks.committer(Sinks.to(topic, longer).buildConnector(), longer)) {
      assertThat(one.unfinished()).extracting(each -> each.id().sinkName()).containsExactly(name);
      assertThat(other.unfinished())
          .extracting(each -> each.id().sinkName())
          .containsExactly(longer);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void R5_aZombiesOpenTransactionCannotBePreparedOnceItWasAborted(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    try (DrivenConnector<String, ?, ?> zombie = Sinks.writer(sink().buildConnector(), name);
        DrivenConnector<String, ?, ?> successor = Sinks.writer(sink().buildConnector(), name)) {
      assertThat(prepareAfterAbort(zombie, successor)).isInstanceOf(RuntimeException.class);
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> SharedKafka.ids(name, TransactionState.ONGOING).isEmpty());
    assertThat(SharedKafka.committed(topic)).isEmpty();
  }

  private static <T> Exception prepareAfterAbort(
      DrivenConnector<String, T, ?> zombie, DrivenConnector<String, ?, ?> successor)
      throws Exception {
    T transaction = zombie.begin(0, "early", "more");
    await().atMost(Duration.ofSeconds(30)).until(() -> !successor.unfinished().isEmpty());
    for (Unfinished each : successor.unfinished()) {
      successor.connector().abort(each);
    }
    try {
      zombie.preCommit(0, transaction);
      return null;
    } catch (RuntimeException refused) {
      // What an adapter does next; what of it is late is swept by the successor's next pass.
      zombie.connector().abort(transaction);
      return refused;
    }
  }

  @Test
  void E2_closingAbortsTheOpenTransactionOnlyIfTold() throws Exception {
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), name)) {
      prepared = writer.prepare(0, "prepared");
      abortOpen(writer);
    }
    assertThat(SharedKafka.ids(name, TransactionState.ONGOING)).hasSize(1);
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink().buildConnector(), name)) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(SharedKafka.committed(topic)).containsExactly("prepared");
  }

  private static <T> void abortOpen(DrivenConnector<String, T, ?> writer) throws Exception {
    writer.connector().abort(writer.begin(1, "open"));
  }

  private void crashWithOneOpen(String sinkName, int subtask) throws Exception {
    try (DrivenConnector<String, ?, ?> crashed =
        Sinks.writer(Sinks.to(topic, sinkName).buildConnector(), sinkName, subtask)) {
      // Prepared is open to Kafka, and certain to have arrived there.
      crashed.prepare(0, "lost with the attempt");
    }
  }

  private static void abortTwice(DrivenConnector<String, ?, ?> instance, Unfinished unfinished)
      throws Exception {
    instance.connector().abort(unfinished);
    instance.connector().abort(unfinished);
  }
}
