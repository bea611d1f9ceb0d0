package dev.twophase.kafka.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.commit.Line.Branch;
import dev.twophase.kafka.internal.commit.RewindMarks.Mark;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** R6: which checkpoints a line has left behind, and what a start is told of it. */
class LineTest {

  private static final Line SECOND = Line.branchedOff(OptionalLong.of(1), 3, Line.FIRST);

  private static Line parsed(Line line) {
    return Line.parse(List.of(line.toString().split(" ", -1)));
  }

  private static Mark mark(long since, Line line) {
    return new Mark(new TransactionId("orders", 0, since, new UUID(1, since)), since, 1, line);
  }

  private static LineOfStart started(OptionalLong restored, long checkpoint, Mark... marks) {
    return LineOfStart.of(List.of(marks), restored, checkpoint, false);
  }

  @Test
  void R6_aLineLeavesBehindWhatItsForerunnerDidAfterTheBranch() {
    assertThat(SECOND).isEqualTo(new Line(2, List.of(new Branch(2, 3))));
    assertThat(SECOND.hasLeftBehind(1, 3)).isFalse();
    assertThat(SECOND.hasLeftBehind(1, 4)).isTrue();
    assertThat(SECOND.hasLeftBehind(2, 4)).isFalse();
    assertThat(Line.FIRST.hasLeftBehind(1, 4)).isFalse();
  }

  @Test
  void R6_branchesOfSeveralLinesAreKept() {
    Line third = Line.branchedOff(OptionalLong.of(2), 7, SECOND);
    assertThat(third).isEqualTo(new Line(3, List.of(new Branch(2, 3), new Branch(3, 7))));
    assertThat(third.hasLeftBehind(1, 4)).isTrue();
    assertThat(third.hasLeftBehind(2, 7)).isFalse();
    assertThat(third.hasLeftBehind(2, 8)).isTrue();
  }

  @Test
  void R6_aLineFromBeforeABranchLeavesTheLineInBetweenBehindAsAWhole() {
    Line third = Line.branchedOff(OptionalLong.of(1), 2, SECOND);
    assertThat(third).isEqualTo(new Line(3, List.of(new Branch(3, 2))));
    // From what the second had left behind: the second ends where it began.
    assertThat(Line.branchedOff(OptionalLong.of(1), 9, SECOND))
        .isEqualTo(new Line(3, List.of(new Branch(3, 3))));
  }

  @Test
  void R6_startsWithoutStateTakeHigherNumbers() {
    Line anew = Line.branchedOff(OptionalLong.empty(), 0, SECOND);
    assertThat(anew).isEqualTo(new Line(3, List.of(new Branch(3, 0))));
    assertThat(anew.hasLeftBehind(2, 1)).isTrue();
  }

  @Test
  void aLineIsReadAsItIsWrittenAndAMarkWithoutOneIsOfTheFirst() {
    Line third = Line.branchedOff(OptionalLong.of(2), 7, SECOND);
    assertThat(parsed(third)).isEqualTo(third);
    assertThat(parsed(Line.FIRST)).isEqualTo(Line.FIRST);
    assertThat(Line.parse(List.of())).isEqualTo(Line.FIRST);
  }

  @Test
  void aMarkHasRoomForAllBranches() {
    Line line = Line.FIRST;
    for (long checkpoint = 1; checkpoint <= 100; checkpoint++) {
      line = Line.branchedOff(OptionalLong.of(line.number()), checkpoint * 1_000_000_000, line);
    }
    assertThat(line.number()).isEqualTo(101);
    assertThat(line.branches()).hasSize(50);
    assertThat(line.toString()).hasSizeLessThan(2_000);
  }

  @Test
  void R6_aCheckpointThatWasLeftBehindIsProvenWhateverItsNumber() {
    Mark ofSecond = mark(5, SECOND);
    assertThat(started(OptionalLong.of(1), 100, ofSecond).proof()).contains(ofSecond.id());
    assertThat(started(OptionalLong.of(2), 100, ofSecond))
        .isEqualTo(started(OptionalLong.of(2), 6, ofSecond))
        .satisfies(start -> assertThat(start.proof()).isEmpty())
        .satisfies(start -> assertThat(start.line()).isEqualTo(SECOND));
  }

  /** Which stay for ever, with the high numbers of the line before. */
  @Test
  void R6_marksOfTheLinesBeforeProveNothingAgainstTheOneThatTookTheirPlace() {
    Mark ofASubtaskThatIsGone = mark(100, Line.FIRST);
    assertThat(started(OptionalLong.of(2), 5, ofASubtaskThatIsGone, mark(4, SECOND)).proof())
        .isEmpty();
    assertThat(started(OptionalLong.of(1), 5, ofASubtaskThatIsGone).proof()).isPresent();
    assertThat(started(OptionalLong.empty(), 5, ofASubtaskThatIsGone).proof()).isPresent();
    // Nor does whoever accepts begin another line at each of its restores.
    LineOfStart accepted =
        LineOfStart.of(List.of(ofASubtaskThatIsGone, mark(4, SECOND)), OptionalLong.of(2), 5, true);
    assertThat(accepted).isEqualTo(new LineOfStart(SECOND, Optional.empty()));
  }

  @Test
  void R6_ofAnUnknownLineNothingIsConcluded() {
    LineOfStart start = started(OptionalLong.empty(), 100, mark(5, SECOND), mark(4, Line.FIRST));
    assertThat(start.proof()).isEmpty();
    assertThat(start.line()).isEqualTo(SECOND);
  }

  @Test
  void R6_whoAcceptsBeginsALineAndWhoIsRefusedDoesNot() {
    Mark later = mark(5, Line.FIRST);
    assertThat(LineOfStart.of(List.of(later), OptionalLong.of(1), 3, true).line())
        .isEqualTo(SECOND);
    assertThat(LineOfStart.of(List.of(later), OptionalLong.of(1), 6, true).line())
        .isEqualTo(Line.FIRST);
    assertThat(started(OptionalLong.of(1), 3, later).line()).isEqualTo(Line.FIRST);
  }

  /** Which the subtask's own marks do not show, if it has not written any since. */
  @Test
  void R6_aLineThatHasCommittedNothingYetLeavesBehindWhatItGoesBeyond() {
    assertThat(started(OptionalLong.of(2), 8, mark(2, Line.FIRST)).line())
        .isEqualTo(new Line(2, List.of(new Branch(2, 8))));
    assertThat(started(OptionalLong.of(1), 8, mark(2, SECOND)).line()).isEqualTo(Line.FIRST);
  }
}
