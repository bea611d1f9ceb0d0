package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.file.upkeep.SinkDirectory;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Opening;
import dev.twophase.testkit.connector.Prepared;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** R6: a checkpoint of a line that was left behind is recognised, whatever its number. */
class AbandonedLineTest {

  private static final long NONE = 0;

  @TempDir private Path root;

  @Test
  void R6_afterAnAcceptedStartAHigherCheckpointOfTheAbandonedLineIsARewind() throws Exception {
    run("a", NONE, 0, 18, RewindPolicy.FAIL);
    run("b", NONE, 0, 3, RewindPolicy.ACCEPT);

    try (DrivenConnector<String, ?, ?> old = writer("c", 1, RewindPolicy.FAIL)) {
      assertThat(old.connector().committedSince(18))
          .hasValueSatisfying(proof -> assertThat(proof.since()).isZero());
      assertThat(old.connector().rewindRemedy(18).orElseThrow())
          .contains("since the two jobs parted", "retirePublishedSince(0)", "start without state");
    }
    try (DrivenConnector<String, ?, ?> own = writer("c", 2, RewindPolicy.FAIL)) {
      assertThat(own.connector().committedSince(3)).isEmpty();
    }
    try (DrivenConnector<String, ?, ?> unknown = writer("c", NONE, RewindPolicy.FAIL)) {
      assertThat(unknown.connector().committedSince(18)).as("nothing is concluded").isEmpty();
    }
  }

  @Test
  void R6_severalAcceptedRewindsInARowRefuseWhatEachLeftAndNothingElse() throws Exception {
    run("a", NONE, 0, 18, RewindPolicy.FAIL);
    run("b", NONE, 0, 20, RewindPolicy.ACCEPT);
    try (DrivenConnector<String, ?, ?> first = writer("c", 1, RewindPolicy.ACCEPT)) {
      assertThat(first.connector().committedSince(18)).isPresent();
    }
    // The job fails over before its first checkpoint; its other subtask starts late.
    assertRewind("c", 1, 18, false);
    run("c", 1, 18, 25, RewindPolicy.FAIL);

    assertRewind("c", 3, 25, false);
    assertRewind("d", 3, 25, false);
    assertRewind("d", 2, 26, true);
    assertRewind("d", 2, 19, true);
    assertRewind("d", 1, 26, true);
    assertRewind("d", 1, 17, true);
    assertRewind("d", 3, 24, true);
  }

  @Test
  void R6_aLineThatWasLeftWhileItPublishedNothingIsToldAsSoonAsTheNextOnePublishes()
      throws Exception {
    run("a", NONE, 0, 10, RewindPolicy.FAIL);
    try (DrivenConnector<String, ?, ?> fruitless = writer("b", 1, RewindPolicy.FAIL)) {
      assertThat(fruitless.connector().committedSince(10)).isEmpty();
      fruitless.unfinished();
    }
    assertRewind("c", 1, 12, false);

    run("c", 1, 10, 11, RewindPolicy.FAIL);

    assertRewind("d", 1, 12, true);
    assertRewind("d", 3, 11, false);
  }

  @Test
  void R6_whoseFilesWereRetiredGoesOnUnderNoPolicy() throws Exception {
    run("a", NONE, 0, 18, RewindPolicy.FAIL);
    try (SinkDirectory upkeep = SinkDirectory.of(root, "orders")) {
      assertThat(upkeep.retirePublishedSince(5)).hasSize(1);
      assertThat(upkeep.retirePublishedSince(5)).isEmpty();
    }
    for (RewindPolicy policy : RewindPolicy.values()) {
      try (DrivenConnector<String, ?, ?> old = writer("b", 1, policy)) {
        assertThatThrownBy(() -> old.connector().committedSince(18))
            .isInstanceOf(RewindDetectedException.class)
            .hasMessageContaining("left behind at checkpoint 5")
            .hasMessageContaining("was retired, and going on from here would lose those records")
            .hasMessageContaining("restore checkpoint 5");
      }
    }
    // Upkeep has claimed the name twice in between.
    run("b", 1, 5, 7, RewindPolicy.FAIL);
    assertRewind("c", 4, 7, false);
    try (SinkDirectory upkeep = SinkDirectory.of(root, "orders")) {
      assertThat(upkeep.retirePublishedSince(6)).hasSize(1);
    }
    assertRewind("c", 4, 6, false);
    try (DrivenConnector<String, ?, ?> old = writer("c", 1, RewindPolicy.ACCEPT)) {
      assertThatThrownBy(() -> old.connector().committedSince(6))
          .as("of that number, but not of that line")
          .isInstanceOf(RewindDetectedException.class);
    }
  }

  @Test
  void R6_retiringNothingRefusesNothing() throws Exception {
    run("a", NONE, 0, 18, RewindPolicy.FAIL);
    try (SinkDirectory upkeep = SinkDirectory.of(root, "orders")) {
      assertThat(upkeep.retirePublishedSince(18)).isEmpty();
    }
    assertRewind("b", 1, 20, false);
  }

  @Test
  void R6_whatWasRetiredCanBePutBack() throws Exception {
    run("a", NONE, 0, 2, RewindPolicy.FAIL);
    try (SinkDirectory upkeep = SinkDirectory.of(root, "orders")) {
      upkeep.retirePublishedSince(0);
    }
    Path[] notes;
    try (var listed = Files.list(root.resolve(".twophase/orders.lines"))) {
      notes = listed.filter(note -> note.toString().contains("retired")).toArray(Path[]::new);
    }
    try (DrivenConnector<String, ?, ?> old = writer("b", 1, RewindPolicy.FAIL)) {
      assertThatThrownBy(() -> old.connector().committedSince(2))
          .hasMessageContaining("If what was retired has been put back, remove " + notes[0])
          .hasMessageContaining("start without state");
      Files.delete(notes[0]);
      assertThatCode(() -> old.connector().committedSince(2)).doesNotThrowAnyException();
    }
  }

  @Test
  void R6_aCrashBetweenTheStepsOfAcceptingIsARewindAgain() throws Exception {
    run("a", NONE, 0, 18, RewindPolicy.FAIL);
    Path mark = root.resolve(".twophase/orders.since");
    String[] before = mark.toFile().list();
    try (DrivenConnector<String, ?, ?> accepted = writer("b", 1, RewindPolicy.ACCEPT)) {
      assertThat(accepted.connector().committedSince(10)).isPresent();
    }
    for (String name : before) {
      Files.createDirectories(mark.resolve(name));
    }
    assertRewind("b", 1, 10, true);
    assertRewind("c", 1, 18, true);
    try (DrivenConnector<String, ?, ?> again = writer("b", 1, RewindPolicy.ACCEPT)) {
      assertThat(again.connector().committedSince(10)).isPresent();
    }
    run("b", 1, 10, 12, RewindPolicy.FAIL);
    assertRewind("b", 2, 12, false);
    assertThat(root.resolve(".twophase/orders.lines").toFile().list())
        .as("the beginnings of a and b")
        .hasSize(2);
  }

  @Test
  void R6_acceptedByAJobOfTheSameIdItIsAnotherLine() throws Exception {
    run("fixed", NONE, 0, 18, RewindPolicy.FAIL);
    run("fixed", 1, 10, 12, RewindPolicy.ACCEPT);
    assertRewind("fixed", 1, 18, true);
    assertRewind("fixed", 2, 12, false);
  }

  /** Nothing was published, which the note cannot tell: a checkpoint may yet have completed. */
  @Test
  void R6_theNoteOfAJobThatNeverCompletedACheckpointIsNamedAndMayBeRemoved() throws Exception {
    run("a", NONE, 0, 10, RewindPolicy.FAIL);
    try (DrivenConnector<String, ?, ?> dying = writer("b", 1, RewindPolicy.FAIL)) {
      assertThat(dying.connector().committedSince(10)).isEmpty();
      dying.unfinished();
      dying.prepare(10, "b10");
    }
    assertRewind("c", 1, 10, false);
    Path note = onlyNoteOfLine(2);
    try (DrivenConnector<String, ?, ?> old = writer("c", 1, RewindPolicy.FAIL)) {
      assertThat(old.connector().committedSince(12)).isPresent();
      assertThat(old.connector().rewindRemedy(12).orElseThrow())
          .contains("if the job that left the note " + note + " never completed a checkpoint");
    }
    Files.delete(note);
    assertRewind("c", 1, 12, false);
  }

  /** Flink commits what it restores before the writer starts and refuses. */
  @Test
  void R6_whatALineHadPreparedBehindThePointWhereItWasLeftIsNotPublished() throws Exception {
    run("a", NONE, 0, 10, RewindPolicy.FAIL);
    Prepared covered;
    Prepared left;
    try (DrivenConnector<String, ?, ?> old = writer("a", 1, RewindPolicy.FAIL)) {
      assertThat(old.connector().committedSince(10)).isEmpty();
      old.unfinished();
      covered = old.prepare(9, "covered");
      left = old.prepare(12, "left");
    }
    run("b", 1, 10, 12, RewindPolicy.FAIL);

    assertThat(commit(covered, 10, RewindPolicy.FAIL)).isEqualTo(CommitOutcome.committed());
    assertThatThrownBy(() -> commit(left, 13, RewindPolicy.FAIL))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("has not published transaction orders.0.12.")
        .hasMessageContaining("its job was left behind at checkpoint 10")
        .hasMessageContaining("restore checkpoint 10")
        .hasMessageContaining("remove " + onlyNoteOfLine(2));
    assertThat(Sinks.lines(root)).contains("covered").doesNotContain("left");

    assertThat(commit(left, 13, RewindPolicy.ACCEPT)).isEqualTo(CommitOutcome.committed());
    assertThat(Sinks.lines(root)).contains("left");
    assertThat(commit(left, 13, RewindPolicy.FAIL))
        .as("nothing new: the writer refuses the start, and says more")
        .isEqualTo(CommitOutcome.alreadyCommitted());
  }

  @Test
  void R6_whatALineHadPreparedBehindWhatWasRetiredIsPublishedUnderNoPolicy() throws Exception {
    run("a", NONE, 0, 10, RewindPolicy.FAIL);
    Prepared left;
    try (DrivenConnector<String, ?, ?> old = writer("a", 1, RewindPolicy.FAIL)) {
      old.unfinished();
      left = old.prepare(12, "left");
    }
    try (SinkDirectory upkeep = SinkDirectory.of(root, "orders")) {
      assertThat(upkeep.retirePublishedSince(5)).hasSize(1);
    }
    for (RewindPolicy policy : RewindPolicy.values()) {
      assertThatThrownBy(() -> commit(left, 13, policy))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("what it had published since was retired");
    }
  }

  private CommitOutcome commit(Prepared prepared, long checkpoint, RewindPolicy policy)
      throws Exception {
    try (DrivenConnector<String, ?, ?> committer =
        DrivenConnector.open(sink(policy), Opening.committer("orders").inJob("c"))) {
      return committer.commit(prepared, checkpoint);
    }
  }

  private Path onlyNoteOfLine(long line) throws Exception {
    try (var listed = Files.list(root.resolve(".twophase/orders.lines"))) {
      return listed
          .filter(note -> note.getFileName().toString().startsWith(line + "."))
          .reduce(
              (one, other) -> {
                throw new AssertionError(one + " and " + other);
              })
          .orElseThrow();
    }
  }

  private void assertRewind(String job, long line, long checkpoint, boolean expected)
      throws Exception {
    try (DrivenConnector<String, ?, ?> restored = writer(job, line, RewindPolicy.FAIL)) {
      assertThat(restored.connector().committedSince(checkpoint).isPresent())
          .as("checkpoint %s of line %s", checkpoint, line)
          .isEqualTo(expected);
    }
  }

  /** Publishes with the first checkpoint and with the one before the last. */
  private void run(String job, long line, long from, long last, RewindPolicy policy)
      throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer(job, line, policy)) {
      assertThat(writer.connector().committedSince(from).isPresent())
          .isEqualTo(policy == RewindPolicy.ACCEPT);
      writer.unfinished();
      for (long since : LongStream.of(from, last - 1).distinct().toArray()) {
        writer.commit(writer.prepare(since, job + since));
      }
      assertThat(writer.connector().line()).isPresent();
    }
  }

  private DrivenConnector<String, ?, ?> writer(String job, long line, RewindPolicy policy)
      throws Exception {
    Opening opening = Opening.writer("orders").inJob(job);
    return DrivenConnector.open(
        sink(policy), line == NONE ? opening : opening.restoredFromLine(line));
  }

  private TransactionalConnector<String, ?, ?> sink(RewindPolicy policy) {
    return TransactionalFileSink.forLines(root)
        .name("orders")
        .options(SinkOptions.defaults().withRewindPolicy(policy))
        .buildConnector();
  }
}
