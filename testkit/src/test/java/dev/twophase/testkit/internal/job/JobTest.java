package dev.twophase.testkit.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.tier.Tier;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Schedule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the job asks of its attempts, step by step. */
class JobTest {

  private static final CallDecider NO_FAULTS =
      new CallDecider() {
        @Override
        public @Nullable FaultKind arriving(CallGate gate, String callClass) {
          return null;
        }

        @Override
        public void fired(CallGate gate, String callClass, FaultKind kind) {}
      };

  private final List<String> journal = new ArrayList<>();

  private Job<String> run(String line) {
    Schedule schedule = Schedule.parse(line);
    Job<String> job =
        new Job<>(
            new JournalTier(),
            schedule.parallelism(),
            schedule.source(),
            NO_FAULTS,
            JobObserver.NONE);
    schedule.steps().forEach(job::execute);
    return job;
  }

  @Test
  void killNeverClosesAndFailDoes() {
    run("2pk/1 p=2; s0.kill; s1.fail");

    assertThat(journal).containsExactly("s0@0 start", "s1@0 start", "s0@0 drop", "s1@0 close");
  }

  @Test
  void C4_aNotificationThatIsNotInTheScheduleIsLost() {
    run("2pk/1 p=2; s*.bar 1; done 1; s1.ntf 1");

    assertThat(journal).contains("s1@0 complete 1").doesNotContain("s0@0 complete 1");
  }

  @Test
  void nothingIsNotifiedAsCompleteBeforeItIsStored() {
    run("2pk/1 p=2; s*.bar 1; s0.ntf 1; s0.nab 1; s0.bar 2; done 2; s0.ntf 2");

    assertThat(journal).noneMatch(entry -> entry.contains("complete") || entry.contains("aborted"));
  }

  @Test
  void C5_completionGivesUpOlderPendingCheckpoints() {
    run("2pk/1 p=1; s0.bar 1; s0.bar 2; done 2; s0.nab 1; s0.ntf 1; s0.ntf 2");

    assertThat(journal)
        .containsExactly(
            "s0@0 start",
            "s0@0 snapshot 1",
            "s0@0 snapshot 2",
            "s0@0 aborted 1",
            "s0@0 complete 2");
  }

  @Test
  void aRestartRestoresStateAndReplaysWhatTheCheckpointDoesNotHold() {
    Job<String> job = run("2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.in 2; s0.kill; up 1; s0.in 3");

    assertThat(journal)
        .containsExactly(
            "s0@0 start",
            "s0@0 input 1",
            "s0@0 snapshot 1",
            "s0@0 input 2",
            "s0@0 input 3",
            "s0@0 drop",
            "s0@1 start from 1 with 0:1",
            "s0@1 input 2",
            "s0@1 input 3",
            "s0@1 input 4");
    assertThat(job.input().durable()).hasToString("{1}");
  }

  @Test
  void onlyTheLostRegionFailsOverWhereRecordsAreForwarded() {
    run("2pk/1 p=2 src=fwd; s0.kill; s0.up none");

    assertThat(journal).containsExactly("s0@0 start", "s1@0 start", "s0@0 drop", "s0@1 start");
  }

  @Test
  void aZombieReadsWhatItsSuccessorReadsAndMayBeNotifiedLate() {
    run("2pk/1 p=1; s0.bar 1; done 1; s0.in 1; s0.lose; up 1; s0@0.in 1; s0@0.ntf 1; s0.in 1");

    assertThat(journal).endsWith("s0@0 input 1", "s0@0 complete 1", "s0@1 input 1");
  }

  @Test
  void aDoubtfulCheckpointCanBeTheOneRestored() {
    Job<String> job = run("2pk/1 p=1; s0.in 1; s0.bar 1; doubt 1; s0.nab 1");
    assertThat(job.input().durable()).hasToString("{}");

    job.execute(Schedule.parse("2pk/1 p=1; up 1").steps().get(0));
    assertThat(journal).endsWith("s0@0 aborted 1", "s0@0 close", "s0@1 start from 1 with 0:1");
    assertThat(job.input().durable()).hasToString("{1}");
  }

  @Test
  void E1_aFinishedSubtaskIsClosedAfterItsFinalNotification() {
    run("2pk/1 p=1; s0.eoi; s0.bar 1; done 1; s0.ntf 1; s0.in 1");

    assertThat(journal)
        .containsExactly(
            "s0@0 start", "s0@0 end", "s0@0 snapshot 1", "s0@0 complete 1", "s0@0 close");
  }

  @Test
  void settlingRecoversReplaysAndEndsTheInput() {
    Job<String> job = run("2pk/1 p=1; s0.in 1; s0.kill; settle");

    assertThat(job.settled()).isTrue();
    assertThat(journal)
        .endsWith(
            "s0@1 start",
            "s0@1 input 1",
            "s0@1 snapshot 1",
            "s0@1 complete 1",
            "s0@1 end",
            "s0@1 snapshot 2",
            "s0@1 complete 2",
            "s0@1 close");
  }

  @Test
  void nobodyIsToldOfASavepointAndTheJobDoesNotRecoverFromIt() {
    Job<String> job =
        run("2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.in 1; sav a1; s0.ntf 2; s0.kill; settle");

    assertThat(journal).contains("s0@0 snapshot 2", "s0@1 start from 1 with 0:1");
    assertThat(journal).doesNotContain("s0@0 complete 2");
    assertThat(job.rewound()).isFalse();
  }

  @Test
  void aJobGoesOnFromASavepoint() {
    Job<String> job = run("2pk/1 p=2; s*.in 1; sav a1; s*.in 1; s*.kill; up a1,p=1; s0.in 3");

    assertThat(journal)
        .endsWith("s0@1 start from 1 with 0:1,1:1", "s0@1 input 3", "s0@1 input 4", "s0@1 input 5");
    assertThat(job.input().durable()).hasToString("{1, 2}");
  }

  @Test
  void C1_whoStopsWithASavepointIsToldAndClosed() {
    Job<String> job = run("2pk/1 p=1; s0.in 1; stop a1; s0.in 1");

    assertThat(journal)
        .containsExactly(
            "s0@0 start", "s0@0 input 1", "s0@0 snapshot 1", "s0@0 complete 1", "s0@0 close");
    assertThat(job.hasEnded()).isTrue();
    assertThat(job.input().durable()).hasToString("{1}");
  }

  @Test
  void E1_whoDrainsEndsItsInputBeforeTheSavepoint() {
    run("2pk/1 p=1; s0.in 1; stop a1,drain; up a1; s0.in 1");

    assertThat(journal)
        .endsWith(
            "s0@0 end",
            "s0@0 snapshot 1",
            "s0@0 complete 1",
            "s0@0 close",
            "s0@1 start from 1 with 0:1",
            "s0@1 input 2");
  }

  @Test
  void R6_goingBackBehindAStopIsARewind() {
    assertThat(run("2pk/1 p=1; s0.bar 1; done 1; s0.in 1; stop a1; up 1").rewound()).isTrue();
    assertThat(run("2pk/1 p=1; s0.bar 1; done 1; s0.in 1; stop a1; up a1").rewound()).isFalse();
  }

  private final class JournalTier implements Tier<String> {

    @Override
    public Subtask<String> start(AttemptSpec<String> spec) {
      String restored =
          spec.restoredCheckpoint().isPresent()
              ? " from " + spec.restoredCheckpoint().getAsLong() + " with " + spec.state()
              : "";
      String name = "s" + spec.subtask() + "@" + spec.attempt() + " ";
      journal.add(name + "start" + restored);
      return new JournalSubtask(name, spec.subtask());
    }

    @Override
    public List<String> repartition(List<String> states, int parallelism) {
      return new ArrayList<>(java.util.Collections.nCopies(parallelism, String.join(",", states)));
    }

    @Override
    public void close() {}
  }

  private final class JournalSubtask implements Subtask<String> {

    private final String name;
    private final int index;

    JournalSubtask(String name, int index) {
      this.name = name;
      this.index = index;
    }

    @Override
    public void input(TestRecord record) {
      journal.add(name + "input " + record.id());
    }

    @Override
    public String snapshot(long checkpointId) {
      journal.add(name + "snapshot " + checkpointId);
      return index + ":" + checkpointId;
    }

    @Override
    public void notifyComplete(long checkpointId) {
      journal.add(name + "complete " + checkpointId);
    }

    @Override
    public void notifyAborted(long checkpointId) {
      journal.add(name + "aborted " + checkpointId);
    }

    @Override
    public void endOfInput() {
      journal.add(name + "end");
    }

    @Override
    public void advanceClock(long processingTime) {
      journal.add(name + "clock " + processingTime);
    }

    @Override
    public void close() {
      journal.add(name + "close");
    }

    @Override
    public void drop() {
      journal.add(name + "drop");
    }
  }
}
