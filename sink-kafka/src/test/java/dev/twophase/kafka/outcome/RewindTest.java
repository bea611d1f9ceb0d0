package dev.twophase.kafka.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Opening;
import dev.twophase.testkit.connector.Prepared;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /**
   * Started from the same checkpoint; the original commits after the clone has looked, and before
   * the clone commits.
   *
   * @param live whether the clone commits by itself, or an attempt that is restored
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void R6_aCloneThatTheOriginalOvertakesPublishesNothing(boolean live) throws Exception {
    try (DrivenConnector<String, ?, ?> original = writer();
        DrivenConnector<String, ?, ?> clone = writer()) {
      assertThat(clone.connector().committedSince(2)).isEmpty();
      Prepared ofClone = clone.prepare(2, "three");
      Prepared ofOriginal = original.prepare(2, "three");
      assertThat(original.commitLive(ofOriginal)).isEqualTo(CommitOutcome.committed());
      SharedKafka.awaitDecisionsWritten();

      assertSuperseded(live ? clone.commitLive(ofClone) : clone.commit(ofClone), ofOriginal);
      assertPublished(original, "one", "two", "three");
      // An attempt that goes on from there is told the same.
      assertSuperseded(clone.commit(ofClone), ofOriginal);
    }
  }

  @Test
  void R6_anOriginalThatItsCloneOvertakesAfterCheckpointsWithoutRecordsPublishesNothing()
      throws Exception {
    try (DrivenConnector<String, ?, ?> original = writer();
        DrivenConnector<String, ?, ?> clone = writer()) {
      original.connector().committedSince(2);
      Prepared ofOriginal = original.prepare(2, "three");
      original.commitLive(ofOriginal);
      SharedKafka.awaitDecisionsWritten();
      assertThat(clone.connector().committedSince(3)).isEmpty();
      Prepared ofClone = clone.prepare(3, "four");
      // The original's checkpoint 9: those since the third had no records.
      Prepared late = original.prepare(8, "four");
      assertThat(clone.commitLive(ofClone)).isEqualTo(CommitOutcome.committed());
      SharedKafka.awaitDecisionsWritten();

      assertSuperseded(original.commitLive(late), ofClone);
      assertPublished(clone, "one", "two", "three", "four");
    }
  }

  /** Numbers begin anew, and the mark of a topic that nothing goes to any more stays high. */
  @Test
  void R6_afterAStartWithoutStateThatWasAcceptedItsNewestCheckpointIsNoRewind() throws Exception {
    String renewed = SharedKafka.newTopic(1);
    TransactionalKafkaSink<String> sink = Sinks.to(renewed, name);
    Prepared newest;
    try (DrivenConnector<String, ?, ?> accepted =
        Sinks.writer(
            sink.setOptions(SinkOptions.defaults().withRewindPolicy(RewindPolicy.ACCEPT))
                .buildConnector(),
            name,
            SUBTASK)) {
      assertThat(accepted.connector().committedSince(0)).contains(ofCheckpoint2.id());
      newest = accepted.prepare(0, "one");
      accepted.commitLive(newest);
      SharedKafka.awaitDecisionsWritten();
    }
    try (DrivenConnector<String, ?, ?> restored =
        Sinks.writer(sink.setOptions(SinkOptions.defaults()).buildConnector(), name, SUBTASK)) {
      // Of which ofCheckpoint2, to the topic of before, says that it began at it.
      assertThat(restored.connector().committedSince(1)).isEmpty();
      assertThat(restored.commitLive(restored.prepare(1, "two")))
          .isEqualTo(CommitOutcome.committed());
      // And a way back behind that is one.
      SharedKafka.awaitDecisionsWritten();
      assertThat(restored.connector().committedSince(1)).isPresent();
    }
  }

  private DrivenConnector<String, ?, ?> restored(OptionalLong line, RewindPolicy policy)
      throws Exception {
    Opening opening = Opening.writer(name).at(SUBTASK, SUBTASK + 1);
    return DrivenConnector.open(
        Sinks.to(topic, name)
            .setOptions(SinkOptions.defaults().withRewindPolicy(policy))
            .buildConnector(),
        line.isPresent() ? opening.restoredFromLine(line.getAsLong()) : opening);
  }

  /** What an attempt of the line that was left behind is told when it starts from a checkpoint. */
  private Optional<TransactionId> toldTo(OptionalLong line, long checkpoint) throws Exception {
    try (DrivenConnector<String, ?, ?> restored = restored(line, RewindPolicy.FAIL)) {
      return restored.connector().committedSince(checkpoint);
    }
  }

  /** The accepted job is at its second checkpoint when one of the abandoned line is restored. */
  @Test
  void R6_aCheckpointOfAnAbandonedLineIsToldAlthoughItsNumberIsTheHighest() throws Exception {
    Prepared again;
    try (DrivenConnector<String, ?, ?> accepted =
        restored(OptionalLong.of(1), RewindPolicy.ACCEPT)) {
      assertThat(accepted.connector().committedSince(1)).contains(ofCheckpoint2.id());
      assertThat(accepted.connector().line()).hasValue(2);
      again = accepted.prepare(1, "two");
      accepted.commitLive(again);
    }
    SharedKafka.awaitDecisionsWritten();
    for (long ofTheAbandoned = 2; ofTheAbandoned <= 9; ofTheAbandoned++) {
      assertThat(toldTo(OptionalLong.of(1), ofTheAbandoned)).contains(again.id());
    }
    // Of a state without a line nothing can be told.
    assertThat(toldTo(OptionalLong.empty(), 2)).isEmpty();

    Prepared next;
    try (DrivenConnector<String, ?, ?> goesOn = restored(OptionalLong.of(2), RewindPolicy.FAIL)) {
      assertThat(goesOn.connector().committedSince(2)).isEmpty();
      assertThat(goesOn.connector().line()).hasValue(2);
      next = goesOn.prepare(2, "three");
      assertThat(goesOn.commitLive(next)).isEqualTo(CommitOutcome.committed());
    }
    SharedKafka.awaitDecisionsWritten();
    assertThat(toldTo(OptionalLong.of(1), 9)).contains(next.id());
  }

  /** In a chain the committer is asked before the writer can refuse the start. */
  @Test
  void R6_whatAnAbandonedCheckpointHasPreparedIsNotCommittedNorAborted() throws Exception {
    Prepared abandoned;
    try (DrivenConnector<String, ?, ?> before = restored(OptionalLong.of(1), RewindPolicy.FAIL)) {
      before.connector().committedSince(8);
      // The sixth of that line, idle for a while; the accepted job gets to its second.
      abandoned = before.prepare(8, "of the abandoned");
    }
    accept(1, SUBTASK - 1, SUBTASK);

    try (DrivenConnector<String, ?, ?> restored = restored(OptionalLong.of(1), RewindPolicy.FAIL)) {
      assertThatThrownBy(() -> restored.commit(abandoned))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("left behind", "RewindPolicy.ACCEPT");
    }
    try (DrivenConnector<String, ?, ?> goesBack =
        restored(OptionalLong.of(1), RewindPolicy.ACCEPT)) {
      assertThat(goesBack.commit(abandoned)).isEqualTo(CommitOutcome.committed());
    }
  }

  /** That has one subtask less, whose marks stay. */
  @Test
  void R6_theAcceptedJobIsNotHeldUpByMarksOfASubtaskThatIsGone() throws Exception {
    Prepared first = accept(0, 0, SUBTASK);
    Opening opening = Opening.writer(name).at(0, SUBTASK).restoredFromLine(2);
    try (DrivenConnector<String, ?, ?> goesOn =
        DrivenConnector.open(Sinks.to(topic, name).buildConnector(), opening)) {
      // Subtask 5, now 0's, has committed what began at checkpoint 1.
      assertThat(goesOn.commit(first)).isEqualTo(CommitOutcome.alreadyCommitted());
      assertThat(goesOn.connector().committedSince(1)).isEmpty();
      assertThat(goesOn.commitLive(goesOn.prepare(1, "two"))).isEqualTo(CommitOutcome.committed());
    }
  }

  /** The first transaction of a line is committed by an attempt that no longer accepts. */
  @Test
  void R6_theFirstTransactionOfALineIsNotOvertakenByThoseItTookThePlaceOf() throws Exception {
    Prepared first;
    try (DrivenConnector<String, ?, ?> accepted =
        restored(OptionalLong.of(1), RewindPolicy.ACCEPT)) {
      assertThat(accepted.connector().committedSince(0)).isPresent();
      first = accepted.prepare(0, "one");
    }
    try (DrivenConnector<String, ?, ?> goesOn = restored(OptionalLong.of(2), RewindPolicy.FAIL)) {
      assertThat(goesOn.commit(first)).isEqualTo(CommitOutcome.committed());
    }
  }

  /** Goes back to that checkpoint, and commits its first transaction. */
  private Prepared accept(long checkpoint, int subtask, int parallelism) throws Exception {
    Opening opening = Opening.writer(name).at(subtask, parallelism).restoredFromLine(1);
    SinkOptions accept = SinkOptions.defaults().withRewindPolicy(RewindPolicy.ACCEPT);
    try (DrivenConnector<String, ?, ?> accepted =
        DrivenConnector.open(Sinks.to(topic, name).setOptions(accept).buildConnector(), opening)) {
      assertThat(accepted.connector().committedSince(checkpoint)).isPresent();
      assertThat(accepted.connector().line()).hasValue(2);
      Prepared again = accepted.prepare(checkpoint, "again");
      accepted.commitLive(again);
      SharedKafka.awaitDecisionsWritten();
      return again;
    }
  }

  @Test
  void R6_withoutRewindDetectionLinesHaveNoNumbers() throws Exception {
    String other = SharedKafka.uniqueName("unmarked");
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(Sinks.to(topic, other).setRewindDetection(false).buildConnector(), other)) {
      writer.connector().committedSince(0);
      assertThat(writer.connector().line()).isEmpty();
    }
  }

  private static void assertSuperseded(CommitOutcome outcome, Prepared by) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            CommitOutcome.Superseded.class,
            superseded ->
                assertThat(superseded.evidence())
                    .contains(by.id().toString(), "transactionalIdPrefix"));
  }

  /** Once what lingers since before is aborted, behind which readers would wait. */
  private void assertPublished(DrivenConnector<String, ?, ?> any, String... records)
      throws Exception {
    List<Unfinished> lingering = any.unfinished();
    assertThat(lingering).hasSize(1);
    any.connector().abort(lingering.get(0));
    assertThat(SharedKafka.committed(topic)).containsExactly(records);
  }

  @Test
  void R6_wherePublishingTwiceIsAcceptedACloneMayBeOvertaken() throws Exception {
    TransactionalKafkaSink<String> accepting =
        Sinks.to(topic, name)
            .setOptions(SinkOptions.defaults().withRewindPolicy(RewindPolicy.ACCEPT));
    try (DrivenConnector<String, ?, ?> original = writer();
        DrivenConnector<String, ?, ?> clone =
            Sinks.writer(accepting.buildConnector(), name, SUBTASK)) {
      Prepared ofClone = clone.prepare(2, "three");
      original.commitLive(original.prepare(2, "three"));
      SharedKafka.awaitDecisionsWritten();

      assertThat(clone.commitLive(ofClone)).isEqualTo(CommitOutcome.committed());
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
