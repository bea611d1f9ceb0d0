package dev.twophase.testkit.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.operator.plan.SinkAttachment;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.Subtask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The order of calls in this tier is that of a real job: whatever calls a job made, in whatever
 * rhythm of checkpoints, the same steps here make the same calls.
 */
class FlinkAgreementTest {

  private static final int RECORDS = 500;
  private static final Pattern SNAPSHOT = Pattern.compile("snapshotState (\\d+)");
  private static final Pattern RESTORED = Pattern.compile("createWriter .* restored (\\d+) .*");

  /** Writes slowly, and fails once, when it has seen a commit. */
  private static final class FailsOnce extends ShelfSink {

    FailsOnce(String shelf) {
      super(shelf);
    }

    @Override
    void beforeWrite(String element) throws InterruptedException {
      Shelf external = Shelf.of(shelf);
      if (!external.failed) {
        // Until the first commit, however long that takes on a busy machine.
        synchronized (external) {
          external.wait(5);
        }
      }
      if (!external.committed.isEmpty() && !external.failed) {
        external.failed = true;
        throw new IllegalStateException("fails once, at " + element);
      }
    }
  }

  private static List<String> journalOfAJob(String shelf) throws Exception {
    Configuration configuration = new Configuration();
    configuration.setString("restart-strategy.type", "fixed-delay");
    configuration.setString("restart-strategy.fixed-delay.attempts", "3");
    configuration.setString("restart-strategy.fixed-delay.delay", "1 ms");
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
    environment.enableCheckpointing(30);
    environment
        .fromSequence(1, RECORDS)
        .map(number -> "r" + number)
        .returns(Types.STRING)
        .sinkTo(new FailsOnce(shelf))
        .uid("sink");
    environment.execute();
    return Shelf.of(shelf).drainJournal();
  }

  /** Does here what the job did, as far as its journal tells, and returns the journal of that. */
  private static List<String> journalOfTheSameSteps(List<String> job, String shelf)
      throws Exception {
    OperatorTier<String> tier =
        new OperatorTier<>(
            Types.STRING,
            SinkAttachment.of(new ShelfSink(shelf)),
            record -> record.key(),
            Duration.ofSeconds(1));
    Steps steps = new Steps(tier);
    for (int i = 0; i < job.size(); i++) {
      steps.execute(job, i);
    }
    return Shelf.of(shelf).drainJournal();
  }

  private static final class Steps {
    private final OperatorTier<String> tier;
    private final List<SinkState> snapshots = new ArrayList<>();
    private final List<Long> ids = new ArrayList<>();
    private @Nullable Subtask<SinkState> subtask;
    private int attempts;

    Steps(OperatorTier<String> tier) {
      this.tier = tier;
    }

    void execute(List<String> job, int at) throws Exception {
      String call = job.get(at);
      if (call.equals("createCommitter")) {
        subtask = start(job.subList(at, job.size()));
      } else if (call.startsWith("write ")) {
        subtask.input(new TestRecord(1, call.substring("write ".length()), 0));
      } else if (call.equals("flush true")) {
        subtask.endOfInput();
      } else if (SNAPSHOT.matcher(call).matches()) {
        ids.add(Long.parseLong(call.substring("snapshotState ".length())));
        snapshots.add(subtask.snapshot(ids.get(ids.size() - 1)));
      } else if (call.startsWith("commit ") && !job.get(at - 1).equals("createCommitter")) {
        subtask.notifyComplete(ids.get(ids.size() - 1));
      } else if (call.equals("closeCommitter")) {
        subtask.close();
      }
    }

    private Subtask<SinkState> start(List<String> job) throws Exception {
      String writer =
          job.stream().filter(call -> call.startsWith("createWriter")).findFirst().orElseThrow();
      Matcher restored = RESTORED.matcher(writer);
      OptionalLong checkpoint = OptionalLong.empty();
      SinkState state = null;
      if (restored.matches()) {
        long id = Long.parseLong(restored.group(1));
        checkpoint = OptionalLong.of(id);
        state = snapshots.get(ids.lastIndexOf(id));
      }
      return tier.start(new AttemptSpec<>(0, 1, attempts++, checkpoint, state));
    }
  }

  @Test
  void callsComeInTheOrderOfARealJob() throws Exception {
    List<String> job = journalOfAJob(Shelf.fresh());
    assertThat(job)
        .as("a job that commits, fails, closes, restores and ends")
        .containsSubsequence(
            "createCommitter", "createWriter 0/1#0", "closeCommitter", "closeWriter", "flush true");
    assertThat(journalOfTheSameSteps(job, Shelf.fresh())).isEqualTo(job);
  }
}
