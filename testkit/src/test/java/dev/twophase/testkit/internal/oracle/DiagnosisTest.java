package dev.twophase.testkit.internal.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.schedule.Schedule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What shortest schedules tell of the rule that is broken. */
class DiagnosisTest {

  private static final String AT_NOTIFICATION =
      "after the notification of completion of s0@0, in step 's0.ntf 1'";

  private static List<String> rules(Verdict verdict, String moment, String line) {
    Anomaly anomaly = new Anomaly(verdict, List.of(), moment, "seen");
    return new Diagnosis(Schedule.parse(line), List.of(anomaly)).rulesBrokenBy(anomaly);
  }

  private static List<String> rules(Verdict verdict, String line) {
    return rules(verdict, "after settling", line);
  }

  @Test
  void W4_earlyAlthoughNothingElseWasPrepared() {
    assertThat(
            rules(
                Verdict.EARLY,
                AT_NOTIFICATION,
                "2pk/1 p=1; s0.in 1; s0.bar 1; s0.in 1; done 1; s0.ntf 1"))
        .containsExactly("W4", "C1");
  }

  @Test
  void C1_earlyTogetherWithALaterCheckpoint() {
    assertThat(
            rules(
                Verdict.EARLY,
                AT_NOTIFICATION,
                "2pk/1 p=1; s0.bar 1; s0.in 1; s0.bar 2; done 1; s0.ntf 1"))
        .containsExactly("C1");
  }

  @Test
  void E2_earlyAfterClose() {
    assertThat(rules(Verdict.EARLY, "after the close of s0@0", "2pk/1 p=1; s0.in 1; s0.fail"))
        .containsExactly("E2");
  }

  @Test
  void W2_aHandleThatOnlyItsProcessCanCommit() {
    assertThat(rules(Verdict.WEDGE, "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.kill; settle"))
        .startsWith("W2", "S1");
  }

  @Test
  void C2_aCommitThatFailsWhenItWasDone() {
    assertThat(
            rules(Verdict.WEDGE, "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1; s0.kill; settle"))
        .startsWith("C2")
        .doesNotContain("W2");
  }

  @Test
  void W5_aWedgeWithoutInput() {
    assertThat(rules(Verdict.WEDGE, "2pk/1 p=1; settle")).startsWith("W5");
  }

  @Test
  void C8_aWedgeForNoReason() {
    assertThat(rules(Verdict.WEDGE, "2pk/1 p=1; s0.in 1; settle")).containsExactly("C8");
  }

  @Test
  void W6_aLossThatTakesTwoSubtasksAndNoFault() {
    assertThat(rules(Verdict.LOSS, "2pk/1 p=2; s0.in 1; s1.in 1; settle")).startsWith("W6");
    assertThat(rules(Verdict.DUPLICATE, "2pk/1 p=2; s*.in 1; settle")).startsWith("W6");
    assertThat(rules(Verdict.LOSS, "2pk/1 p=2; s*.in 1; s0.kill; settle"))
        .startsWith("W2")
        .contains("W6");
  }

  @Test
  void W6_whatASubtaskWritesNextIsInTheWayOfWhatItWroteFirst() {
    assertThat(
            rules(Verdict.LOSS, "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1; s0.in 1; settle"))
        .startsWith("W6");
    assertThat(rules(Verdict.WEDGE, "2pk/1 p=1; s0.in 1; s0.bar 1; s0.in 1; settle"))
        .startsWith("W6");
    assertThat(rules(Verdict.LOSS, "2pk/1 p=1; s0.in 2; s0.bar 1; settle")).doesNotContain("W6");
  }

  @Test
  void A1_aWedgeAfterARestartMayComeOfAbortsThatWentTooFar() {
    assertThat(rules(Verdict.WEDGE, "2pk/1 p=2; s*.in 1; s*.bar 1; done 1; s0.kill; up 1; settle"))
        .contains("R2", "A1")
        .doesNotContain("E2");
  }

  @Test
  void E2_aWedgeOrALossAfterAnAttemptWasClosed() {
    String line = "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.fail; settle";
    assertThat(rules(Verdict.WEDGE, line)).contains("E2");
    assertThat(rules(Verdict.LOSS, line)).contains("E2");
  }

  @Test
  void C4_aLossAfterABarrierOfWhichNobodyIsTold() {
    assertThat(rules(Verdict.LOSS, "2pk/1 p=1; s0.in 1; s0.bar 1; settle")).startsWith("C4");
  }

  @Test
  void C7_aLossAfterAnErrorOfAnyCallAtNotification() {
    assertThat(
            rules(
                Verdict.LOSS,
                "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !Client.move#1=E; settle"))
        .startsWith("C7");
    assertThat(rules(Verdict.LOSS, "2pk/1 p=1; s0.in 1 !Client.move#1=E; settle")).startsWith("W3");
  }

  @Test
  void R6_aJobThatIsTakenBackBeforeWhatItPublished() {
    assertThat(
            rules(
                Verdict.DUPLICATE,
                "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1; s0.kill; up none; settle"))
        .startsWith("R6");
  }

  @Test
  void C6_whatTheSystemHasForgottenIsTakenForDone() {
    assertThat(
            rules(
                Verdict.LOSS, "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; ext expire; s0.ntf 1; settle"))
        .startsWith("C6");
  }

  @Test
  void R5_whatAZombieWritesIntoTheFileOfItsSuccessor() {
    assertThat(
            rules(
                Verdict.CORRUPT,
                "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.lose; up 1; s0@0.in 1; settle"))
        .containsExactly("R5");
  }
}
