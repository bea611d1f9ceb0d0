package dev.twophase.testkit.internal.cluster;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.operator.plan.SinkAttachment;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.tier.Tier;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.schedule.Source;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.jspecify.annotations.Nullable;

/**
 * Runs any Flink sink in a real job on a real cluster: its checkpoints are stored by Flink, its
 * failovers are Flink's, and another parallelism is a new job from a retained checkpoint. The state
 * of a subtask is known here by the real id of its checkpoint only.
 *
 * <p>An attempt is lost by telling the job manager that it has failed. A checkpoint in doubt is
 * stored by the job manager, and only the tasks hear that it was aborted.
 */
public final class ClusterTier<IN> implements Tier<Long> {

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
  private final Map<Seat, TaskAttempt> attempts = new HashMap<>();
  private @Nullable DrivenJob job;
  private long latest;
  private int generation = -1;
  private int deployments;
  private boolean stopped;
  private long processingTime;

  /** Where Flink keeps a checkpoint, and what it calls it. */
  private record Stored(long real, CompletableFuture<String> path) {}

  private record Seat(int subtask, int attempt) {}

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

  /** Whether the points for faults are the operations of a connector. */
  public boolean runsConnector() {
    return !gated;
  }

  @Override
  public Subtask<Long> start(AttemptSpec<Long> spec) throws Exception {
    DrivenJob current = jobFor(spec);
    TaskAttempt attempt = current.next(spec.subtask());
    check(spec, attempt);
    ClusterSubtask<IN> subtask =
        new ClusterSubtask<>(
            current,
            attempt,
            toInput,
            patienceMillis,
            time -> processingTime = Math.max(processingTime, time));
    attempts.put(new Seat(spec.subtask(), spec.attempt()), attempt);
    attempt.admit(CallGate.current(), processingTime);
    subtask.awaitStart();
    return subtask;
  }

  private DrivenJob jobFor(AttemptSpec<Long> spec) throws Exception {
    DrivenJob current = job;
    long restored = spec.restoredCheckpoint().orElse(0);
    boolean first = spec.attempt() != generation;
    generation = spec.attempt();
    if (current == null
        || stopped
        || current.parallelism() != spec.parallelism()
        || restored != latest) {
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
      end(before);
    }
    Stored from = restored == 0 ? null : Objects.requireNonNull(stored.get(restored));
    String name = run + "-" + deployments++;
    var graph =
        DrivenGraph.of(
            type,
            attachment,
            parallelism,
            name,
            gated,
            from == null ? null : from.path().get(patienceMillis, TimeUnit.MILLISECONDS));
    DrivenJob deployed =
        new DrivenJob(clusters.of(source), name, graph, parallelism, patienceMillis);
    job = deployed;
    latest = restored;
    return deployed;
  }

  private void end(DrivenJob before) {
    if (before.hasZombie()) {
      throw new InconclusiveException(
          "'up': with a job end its zombies too, so that this is not runnable in this tier");
    }
    if (stopped) {
      stopped = false;
      before.forget();
    } else {
      before.cancel();
    }
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
    keep(checkpointId, CompletableFuture.completedFuture(current.complete(checkpointId)));
    latest = checkpointId;
  }

  private void keep(long checkpointId, CompletableFuture<String> path) {
    long real = Objects.requireNonNull(job).real(checkpointId);
    stored.put(checkpointId, new Stored(real, path));
  }

  @Override
  public void doubted(long checkpointId) {
    DrivenJob current = Objects.requireNonNull(job);
    keep(checkpointId, CompletableFuture.completedFuture(current.completeDoubted(checkpointId)));
    latest = checkpointId;
  }

  @Override
  public void saving(long checkpointId, @Nullable Ending ending) {
    Objects.requireNonNull(job).beginSavepoint(checkpointId, ending, clusters.savepoints());
  }

  @Override
  public void saved(long checkpointId) {
    DrivenJob current = Objects.requireNonNull(job);
    if (current.stopsWith(checkpointId)) {
      keep(checkpointId, current.completeLast(checkpointId));
      stopped = true;
    } else {
      keep(checkpointId, CompletableFuture.completedFuture(current.complete(checkpointId)));
    }
  }

  @Override
  public void lost(int subtask, int attempt) {
    TaskAttempt known = attempts.get(new Seat(subtask, attempt));
    if (known != null) {
      known.lose();
    }
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
