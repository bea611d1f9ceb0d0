package dev.twophase.kafka.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Preparing and committing on both transaction versions. */
class CommitTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  @AfterEach
  void newestVersion() {
    SharedKafka.cluster().setTransactionVersion(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void W2_anotherProcessCommitsHoldingTheHandleOnly(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    String topic = SharedKafka.newTopic(2);
    String name = SharedKafka.uniqueName("w2");
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(Sinks.to(topic, name).buildConnector(), name)) {
      prepared = writer.prepare(0, "a", "b", "c");
    }
    assertThat(SharedKafka.committed(topic)).isEmpty();

    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(Sinks.to(topic, name).buildConnector(), name)) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }

    assertThat(SharedKafka.committed(topic)).containsExactlyInAnyOrder("a", "b", "c");
  }

  /** What a job may change while it is stopped. */
  @Test
  void W2_aSinkOfAnotherTopicAndNameCommitsWhatTheFormerPrepared() throws Exception {
    String topic = SharedKafka.newTopic(1);
    String name = SharedKafka.uniqueName("former");
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(Sinks.to(topic, name).buildConnector(), name)) {
      prepared = writer.prepare(0, "a");
    }
    String other = SharedKafka.uniqueName("latter");
    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(Sinks.to(SharedKafka.newTopic(1), other).buildConnector(), other)) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(SharedKafka.committed(topic)).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void C2_committingTwiceIsOneCommit(int version) throws Exception {
    SharedKafka.cluster().setTransactionVersion(version);
    String topic = SharedKafka.newTopic(1);
    String name = SharedKafka.uniqueName("c2");
    try (DrivenConnector<String, ?, ?> writer =
            Sinks.writer(Sinks.to(topic, name).buildConnector(), name);
        DrivenConnector<String, ?, ?> committer =
            Sinks.committer(Sinks.to(topic, name).buildConnector(), name)) {
      Prepared prepared = writer.prepare(0, "a");

      assertThat(committer.commitLive(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());

      Prepared next = writer.prepare(1, "b");
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
      assertThat(SharedKafka.committed(topic)).containsExactly("a");
      assertThat(committer.commit(next)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(SharedKafka.committed(topic)).containsExactly("a", "b");
  }

  /** Down and up again, each time with a transaction prepared before and committed after. */
  @Test
  void C2_aClusterMayChangeItsTransactionVersionUnderARunningWriter() throws Exception {
    String topic = SharedKafka.newTopic(1);
    String name = SharedKafka.uniqueName("change");
    Prepared left;
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(Sinks.to(topic, name).buildConnector(), name)) {
      long since = 0;
      writer.commitLive(writer.prepare(since++, "a"));
      for (int version : new int[] {1, 2}) {
        Prepared before = writer.prepare(since++, "before " + version);
        SharedKafka.cluster().setTransactionVersion(version);
        writer.commitLive(before);
        writer.commitLive(writer.prepare(since++, "after " + version));
        writer.commitLive(writer.prepare(since++, "later " + version));
      }
      left = writer.prepare(since, "z");
    }
    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(Sinks.to(topic, name).buildConnector(), name)) {
      assertThat(committer.commit(left)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(SharedKafka.committed(topic))
        .containsExactly(
            "a", "before 1", "after 1", "later 1", "before 2", "after 2", "later 2", "z");
  }
}
