package dev.twophase.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** R6: going back, cloning and starting anew, after checkpoints 1 and 2 were committed. */
class RewindTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  /** Higher than the topic has partitions, because marks are kept by subtask. */
  private static final int SUBTASK = 5;

  private final String topic = SharedKafka.newTopic(1);
  private final String name = SharedKafka.uniqueName("rewind");
  private Prepared ofCheckpoint1;
  private Prepared ofCheckpoint2;

  @BeforeEach
  void commitTwoCheckpoints() throws Exception {
    try (DrivenConnector<String, ?, ?> original = writer()) {
      ofCheckpoint1 = original.prepare(0, "one");
      original.commitLive(ofCheckpoint1);
      ofCheckpoint2 = original.prepare(1, "two");
      original.commitLive(ofCheckpoint2);
      original.prepare(2, "of a checkpoint that never completed");
    }
  }

  private DrivenConnector<String, ?, ?> writer() throws Exception {
    return Sinks.writer(Sinks.to(topic, name).buildConnector(), name, SUBTASK);
  }

  @Test
  void theLatestCheckpointIsNoRewind() throws Exception {
    try (DrivenConnector<String, ?, ?> restored = writer()) {
      assertThat(restored.commit(ofCheckpoint2)).isEqualTo(CommitOutcome.alreadyCommitted());
      assertThat(restored.connector().committedSince(2)).isEmpty();
    }
  }

  @Test
  void anOlderSavepointIsProvenByWhatWasCommittedSince() throws Exception {
    try (DrivenConnector<String, ?, ?> restored = writer()) {
      assertThat(restored.commit(ofCheckpoint1)).isEqualTo(CommitOutcome.alreadyCommitted());
      assertThat(restored.connector().committedSince(1)).contains(ofCheckpoint2.id());
    }
  }

  @Test
  void aStartWithoutStateIsProvenToo() throws Exception {
    try (DrivenConnector<String, ?, ?> anew = writer()) {
      assertThat(anew.connector().committedSince(0)).map(TransactionId::sinkName).contains(name);
    }
  }

  /** The answer to a commit comes some milliseconds before its mark can be read. */
  @Test
  void aCommitOfThisVeryMomentIsProvenToo() throws Exception {
    try (DrivenConnector<String, ?, ?> original = writer();
        DrivenConnector<String, ?, ?> anew = writer()) {
      for (int checkpoint = 3; checkpoint < 23; checkpoint++) {
        Prepared next = original.prepare(checkpoint, "next");
        original.commitLive(next);
        assertThat(anew.connector().committedSince(checkpoint)).contains(next.id());
      }
    }
  }

  @Test
  void aCloneAfterTheOriginalIsToldLikeAnOlderSavepointOnceItHasCommitted() throws Exception {
    try (DrivenConnector<String, ?, ?> original = writer();
        DrivenConnector<String, ?, ?> clone = writer()) {
      assertThat(clone.connector().committedSince(2)).isEmpty();
      clone.commitLive(clone.prepare(2, "of the clone"));
      assertThat(original.connector().committedSince(2)).isPresent();
    }
  }

  @Test
  void aCloneBesideTheOriginalTakesItsOpenTransactionsAndTheOriginalFindsThemLost()
      throws Exception {
    try (DrivenConnector<String, ?, ?> original = writer();
        DrivenConnector<String, ?, ?> clone = writer()) {
      Prepared pending = original.prepare(2, "three");
      for (Unfinished each : clone.unfinished()) {
        clone.connector().abort(each);
      }
      assertThat(original.commit(pending)).isInstanceOf(CommitOutcome.Lost.class);
    }
  }

  @Test
  void R5_whatAnotherAttemptHasAbortedAndCommittedInItsPlaceIsSuperseded() throws Exception {
    try (DrivenConnector<String, ?, ?> original = writer();
        DrivenConnector<String, ?, ?> clone = writer()) {
      Prepared pending = original.prepare(2, "three");
      List<Unfinished> listed = clone.unfinished();
      Prepared instead = clone.prepare(2, "three");
      clone.commitLive(instead);
      for (Unfinished each : listed) {
        clone.connector().abort(each);
      }
      SharedKafka.awaitDecisionsWritten();

      assertThat(original.commit(pending))
          .isInstanceOfSatisfying(
              CommitOutcome.Superseded.class,
              superseded ->
                  assertThat(superseded.evidence())
                      .contains(instead.id().toString(), "transactionalIdPrefix"));
    }
  }

  @Test
  void withoutRewindDetectionNothingIsMarkedNorTold() throws Exception {
    String other = SharedKafka.uniqueName("unmarked");
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(Sinks.to(topic, other).setRewindDetection(false).buildConnector(), other)) {
      writer.commitLive(writer.prepare(0, "x"));
      assertThat(writer.connector().committedSince(0)).isEmpty();
    }
  }
}
