package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.store.BrokenConnectors.AbortsWhatItFinds;
import dev.twophase.testkit.store.BrokenConnectors.BlackHole;
import dev.twophase.testkit.store.BrokenConnectors.CommitsInPreCommit;
import dev.twophase.testkit.store.BrokenConnectors.FailsWhenAlreadyCommitted;
import dev.twophase.testkit.store.BrokenConnectors.ForgetsWhatLingers;
import dev.twophase.testkit.store.BrokenConnectors.KeepsRecordsOnTheHeap;
import dev.twophase.testkit.store.BrokenConnectors.LosesRecords;
import dev.twophase.testkit.store.BrokenConnectors.NeverCommits;
import dev.twophase.testkit.store.BrokenConnectors.PublishesAgain;
import dev.twophase.testkit.store.BrokenConnectors.TakesLossForDone;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {

  private static Judgement replay(Function<String, MemoryConnector> connector, String line) {
    return SinkKit.of(new MemorySink(connector)).replay(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2pk/1 p=2; settle",
        "2pk/1 p=2; s*.in 2; settle",
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=A; s0.kill; s0.up 1;"
            + " settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; s*.in 1; s*.bar 2; done 2; s*.nab 1; s0.ntf 2; s*.fail;"
            + " up 2; settle",
        "2pk/1 p=1; s0.in 2; s0.bar 1; doubt 1; s0.nab 1; s0.kill; up 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=4 !s1:commit#1=K; s*.kill;"
            + " up 1,p=1; settle",
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.lose; s0.up 1; s0@0.ntf 1; settle",
        "2pk/1 p=2 src=rebal; s*.in 2; s*.kill; up none,p=3; s*.in 3; s*.eoi; s*.bar 1; done 1;"
            + " s*.ntf 1; settle",
        "2pk/1 p=2; up none !s0:open#1=E; settle",
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=D; s0.up 1; s0.in 1;"
            + " s*.bar 2; done 2; s0@0.in 1; s*.ntf 2; settle",
        "2pk/1 p=1; s0.in 2; s0.bar 1; done 1; s0.ntf 1 !commit#1=N; settle",
        "2pk/1 p=2; s*.in 2; sav a1; s*.in 1; s*.bar 2; done 2; s*.ntf 2; settle",
        "2pk/1 p=2; s*.in 2; sav a1 !s0:preCommit#1=A; settle",
        "2pk/1 p=2; s*.in 2; sav a1; s*.kill; up a1,p=4; s*.in 1; settle",
        "2pk/1 p=2; s*.in 2; stop a1; up a1,p=1; s0.in 2; settle",
        "2pk/1 p=2; s*.in 2; stop a1,drain !s1:commit#1=A; settle",
        "2pk/1 p=2; s*.in 2; stop a1 !s0:commit#1=K; up a1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; ext down; s*.ntf 1; up 1; ext up; settle",
        "2pk/1 p=1; ext down; s0.in 1; settle",
        "2pk/1 p=1; s0.in 2; s0.bar 1; done 1; s0.ntf 1 !commit#1=U; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1 !s0:preCommit#1=A; up none; s*.in 2; s0.lose; up none;"
            + " s0@1.in 1; s*.bar 2; done 2; s0@1.fail; settle",
      })
  void aCorrectSinkPasses(String line) {
    Judgement judgement = replay(MemoryConnector::new, line);

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.PASS);
  }

  @Test
  void C1_visibleBeforeCompletionIsEarlyAndAfterAReplayDuplicate() {
    assertThat(
            replay(CommitsInPreCommit::new, "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; settle")
                .verdict())
        .isEqualTo(Verdict.EARLY);
    Judgement crashed =
        replay(CommitsInPreCommit::new, "2pk/1 p=1; s0.in 1; s0.bar 1; s0.kill; up none; settle");
    assertThat(crashed.found()).contains(Verdict.EARLY);
    assertThat(crashed.rules()).first().isEqualTo("C1");
  }

  @Test
  void W1_aForgottenRecordIsLoss() {
    Judgement judgement = replay(LosesRecords::new, "2pk/1 p=1; s0.in 3; settle");

    assertThat(judgement.verdict()).isEqualTo(Verdict.LOSS);
    assertThat(judgement.records()).containsExactly(new TestRecord(2, "k1", 0));
    assertThat(judgement.describe())
        .contains("LOSS, rule W1", "id 2 (key k1, sequence 0)", "2pk/1 p=1; s0.in 3; settle");
  }

  @Test
  void C2_committingTwiceIsDuplicate() {
    Judgement judgement =
        replay(
            PublishesAgain::new,
            "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A; settle");

    assertThat(judgement.verdict()).isEqualTo(Verdict.DUPLICATE);
    assertThat(judgement.rules()).first().isEqualTo("C2");
  }

  @Test
  void R4_anAttemptFrozenInItsRecoveryAbortsWhatItsSuccessorHasPrepared() {
    String frozen =
        "2pk/1 p=1; s0.in 1; s0.kill; up none !s0:open#2=D; up none; s0.in 1; s0.bar 1; done 1;"
            + " s0@1.in 1; s0.ntf 1; settle";
    Judgement judgement = replay(AbortsWhatItFinds::new, frozen);
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.WEDGE);
    assertThat(judgement.rules()).first().isEqualTo("R5");

    assertThat(replay(MemoryConnector::new, frozen).verdict()).isEqualTo(Verdict.PASS);
    String neverFrozen = frozen.replace(" !s0:open#2=D; up none", "").replace("s0@1", "s0");
    assertThat(replay(AbortsWhatItFinds::new, neverFrozen).verdict()).isEqualTo(Verdict.PASS);
  }

  @Test
  void R5_anAttemptFrozenInACommitGoesOnWhenItIsSpokenToOrTheScheduleSettles() {
    String line = "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=D; up 1; ";
    assertThat(replay(PublishesAgain::new, line + "settle").verdict()).isEqualTo(Verdict.DUPLICATE);
    assertThat(replay(PublishesAgain::new, line + "s0@0.kill; settle").verdict())
        .isEqualTo(Verdict.PASS);
  }

  @Test
  void aCallThatIsNamedWrongProvesNothingAndTheCallsThatAreThereAreNamed() {
    Judgement judgement =
        replay(
            MemoryConnector::new,
            "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !comit#1=A; settle");
    assertThat(judgement.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.why())
        .isEqualTo(
            "planned faults did not fire: [comit#1=A]; the calls that were made there: commit#1");
  }

  @Test
  void anOutageThatNobodyNoticesProvesNothing() {
    assertThat(replay(MemoryConnector::new, "2pk/1 p=1; ext down; ext up; settle").verdict())
        .isEqualTo(Verdict.INCONCLUSIVE);
  }

  @Test
  void C9_whatTheSystemForgetsIsDetectedAndThatIsLegal() {
    String line = "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; ext expire; settle";
    Judgement judgement = replay(MemoryConnector::new, line);
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.DETECTED);
    assertThat(judgement.verdict().accuses()).isFalse();
    assertThat(judgement.why()).contains("TransactionLostException");

    assertThat(replay(TakesLossForDone::new, line).verdict()).isEqualTo(Verdict.LOSS);
    assertThat(replay(TakesLossForDone::new, line.replace("ext expire; ", "")).verdict())
        .isEqualTo(Verdict.PASS);
  }

  @Test
  void C8_aCommitThatNeverSucceedsIsWedge() {
    assertThat(replay(NeverCommits::new, "2pk/1 p=1; s0.in 1; settle").verdict())
        .isEqualTo(Verdict.WEDGE);
  }

  @Test
  void C2_aCommitThatFailsWhenDoneIsWedge() {
    Judgement judgement =
        replay(
            FailsWhenAlreadyCommitted::new,
            "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1; s0.kill; settle");

    assertThat(judgement.verdict()).isEqualTo(Verdict.WEDGE);
    assertThat(judgement.rules()).first().isEqualTo("C2");
  }

  @Test
  void aBlackHoleIsLoss() {
    assertThat(replay(BlackHole::new, "2pk/1 p=1; s0.in 1; settle").verdict())
        .isEqualTo(Verdict.LOSS);
  }

  @Test
  void W2_recordsKeptInTheProcessAreLostWithIt() {
    Judgement judgement =
        replay(KeepsRecordsOnTheHeap::new, "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.kill; settle");

    assertThat(judgement.verdict()).isEqualTo(Verdict.LOSS);
    assertThat(judgement.rules()).first().isEqualTo("W2");
  }

  @Test
  void R2_whatNobodyWillCommitIsLeak() {
    Judgement judgement = replay(ForgetsWhatLingers::new, "2pk/1 p=1; s0.in 1; s0.kill; settle");

    assertThat(judgement.verdict()).isEqualTo(Verdict.LEAK);
    assertThat(judgement.rules()).containsExactly("R2");
  }

  @Test
  void aFaultThatDoesNotFireProvesNothing() {
    Judgement judgement =
        replay(MemoryConnector::new, "2pk/1 p=1; s0.in 1; s0.bar 1 !commit#1=A; settle");

    assertThat(judgement.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.why()).contains("commit#1=A");
  }

  @Test
  void aSavepointThatWasNotTakenProvesNothing() {
    assertThat(replay(MemoryConnector::new, "2pk/1 p=1; s0.in 1; up a1; settle").verdict())
        .isEqualTo(Verdict.INCONCLUSIVE);
  }
}
