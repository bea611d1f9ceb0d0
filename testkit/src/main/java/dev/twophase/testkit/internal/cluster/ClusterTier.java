package dev.twophase.testkit.internal.cluster;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.job.InconclusiveException;
import dev.twophase.testkit.internal.operator.plan.SinkAttachment;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.tier.Tier;
import dev.twophase.testkit.schedule.Source;
import dev.twophase.testkit.schedule.Verb;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.jspecify.annotations.Nullable;

/**
 * Runs any Flink sink in a real job on a real cluster: its checkpoints are stored by Flink, its
 * failovers are Flink's, and another parallelism is a new job from a retained checkpoint. The state
 * of a subtask is known here by the real id of its checkpoint only.
 *
 * <p>Steps that a job manager cannot be made to take are not run: an attempt that it has lost, a
 * checkpoint in doubt, a clock.
 */
public final class ClusterTier<IN> implements Tier<Long> {

  private static final Set<Verb> NOT_RUN =
      EnumSet.of(Verb.LOSE, Verb.DOUBT, Verb.CLK, Verb.SAV, Verb.STOP, Verb.EXT);

  private static final TestRecord SAMPLE = new TestRecord(1, "k0", 0);

  private final Clusters clusters;
  private final Source source;
  private final SinkAttachment<IN> attachment;
  private final TypeInformation<IN> type;
  private final Function<TestRecord, IN> toInput;
  private final boolean gated;
  private final String run;
  private final long patienceMillis;
  private final Map<Long, Stored> stored = new HashMap<>();
  private @Nullable DrivenJob job;
  private long latest;
  private int generation = -1;
  private int deployments;

  /** Where Flink keeps a checkpoint, and what it calls it. */
  private record Stored(long real, String path) {}

  /**
   * @param gated whether calls of the sink are points for faults; not if what is inside it has
   *     gates of its own
   * @param run unique in this process
   * @param patienceMillis how long, in real time, anything may take
   */
  public ClusterTier(
      Clusters clusters,
      Source source,
      SinkAttachment<IN> attachment,
      Function<TestRecord, IN> toInput,
      boolean gated,
      String run,
      long patienceMillis) {
    this.clusters = clusters;
    this.source = source;
    this.attachment = attachment;
    this.type = TypeExtractor.getForObject(toInput.apply(SAMPLE));
    this.toInput = toInput;
    this.gated = gated;
    this.run = run;
    this.patienceMillis = patienceMillis;
  }

  @Override
  public boolean runs(Verb verb) {
    return !NOT_RUN.contains(verb);
  }

  @Override
  public Subtask<Long> start(AttemptSpec<Long> spec) throws Exception {
    DrivenJob current = jobFor(spec);
    TaskAttempt attempt = current.next(spec.subtask());
    check(spec, attempt);
    ClusterSubtask<IN> subtask = new ClusterSubtask<>(current, attempt, toInput, patienceMillis);
    attempt.admit(CallGate.current());
    subtask.awaitStart();
    return subtask;
  }

  private DrivenJob jobFor(AttemptSpec<Long> spec) throws Exception {
    DrivenJob current = job;
    long restored = spec.restoredCheckpoint().orElse(0);
    boolean first = spec.attempt() != generation;
    generation = spec.attempt();
    if (current == null || current.parallelism() != spec.parallelism() || restored != latest) {
      return deploy(spec.parallelism(), restored);
    }
    if (first) {
      current.noticeEnds(
          source == Source.FORWARD ? OptionalInt.of(spec.subtask()) : OptionalInt.empty());
    }
    return current;
  }

  private DrivenJob deploy(int parallelism, long restored) throws Exception {
    DrivenJob before = job;
    if (before != null) {
      before.cancel();
    }
    Stored from = restored == 0 ? null : Objects.requireNonNull(stored.get(restored));
    String name = run + "-" + deployments++;
    var graph =
        DrivenGraph.of(
            type, attachment, parallelism, name, gated, from == null ? null : from.path());
    DrivenJob deployed =
        new DrivenJob(clusters.of(source), name, graph, parallelism, patienceMillis);
    job = deployed;
    latest = restored;
    return deployed;
  }

  /** Flink must have restored what the schedule says, or the run is another one. */
  private void check(AttemptSpec<Long> spec, TaskAttempt attempt) {
    OptionalLong wanted = OptionalLong.empty();
    if (spec.restoredCheckpoint().isPresent()) {
      wanted =
          OptionalLong.of(
              Objects.requireNonNull(stored.get(spec.restoredCheckpoint().getAsLong())).real());
    }
    if (!wanted.equals(attempt.restored())) {
      throw new InconclusiveException(
          "Flink restored " + attempt.restored() + ", the schedule says " + wanted);
    }
  }

  @Override
  public void stored(long checkpointId) {
    DrivenJob current = Objects.requireNonNull(job);
    String path = current.complete(checkpointId);
    stored.put(checkpointId, new Stored(current.real(checkpointId), path));
    latest = checkpointId;
  }

  @Override
  public void givenUp(long checkpointId) {
    Objects.requireNonNull(job).giveUp(checkpointId);
  }

  /** Flink deals the states itself; here only their number counts. */
  @Override
  public List<Long> repartition(List<Long> states, int parallelism) {
    return Collections.nCopies(parallelism, 0L);
  }

  @Override
  public void close() {
    DrivenJob current = job;
    if (current != null) {
      clusters.ends(current.cancelSoon());
    }
  }
}
