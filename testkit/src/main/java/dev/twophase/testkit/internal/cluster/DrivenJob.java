package dev.twophase.testkit.internal.cluster;

import dev.twophase.testkit.internal.tier.Tier.Ending;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.executiongraph.AccessExecution;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.jspecify.annotations.Nullable;

/**
 * One job on a real cluster. Attempts of its tasks arrive here, each at its seat. Besides the tasks
 * of the sink it has a conductor: a task without anything to do, whose part of a checkpoint is the
 * last one missing until the schedule says that it is stored.
 */
final class DrivenJob {

  static final String CONDUCTOR = "twophase-conductor";

  private static final long PAUSE_NANOS = 1_000_000;
  private static final String RUN = "twophase.testkit.run";
  private static final String CONDUCTS = "twophase.testkit.conducts";
  private static final Map<String, DrivenJob> JOBS = new ConcurrentHashMap<>();

  private final MiniCluster cluster;
  private final String run;
  private final JobID id;
  private final long patienceMillis;
  private final List<BlockingQueue<TaskAttempt>> seats = new ArrayList<>();
  private final BlockingQueue<TaskAttempt> conductors = new LinkedBlockingQueue<>();
  private final List<TaskAttempt> all = new ArrayList<>();
  private final Map<Long, Pending> pending = new HashMap<>();
  private final Map<Long, Ending> endings = new HashMap<>();
  private final Set<Long> doubted = new HashSet<>();
  private long latestReal;
  private @Nullable TaskAttempt conductor;
  private boolean over;

  /** A checkpoint of the schedule that the cluster has begun. */
  private record Pending(long real, TaskAttempt conductor, CompletableFuture<String> path) {}

  /**
   * @param patienceMillis how long, in real time, anything may take
   */
  DrivenJob(MiniCluster cluster, String run, JobGraph graph, int parallelism, long patienceMillis)
      throws Exception {
    this.cluster = cluster;
    this.run = run;
    this.id = graph.getJobID();
    this.patienceMillis = patienceMillis;
    for (int i = 0; i < parallelism; i++) {
      seats.add(new LinkedBlockingQueue<>());
    }
    JOBS.put(run, this);
    cluster.submitJob(graph).get(patienceMillis, TimeUnit.MILLISECONDS);
  }

  static void mark(Configuration task, String run, boolean conducts) {
    task.setString(RUN, run);
    task.setString(CONDUCTS, Boolean.toString(conducts));
  }

  static @Nullable DrivenJob of(Configuration task) {
    return JOBS.get(task.getString(RUN, ""));
  }

  int parallelism() {
    return seats.size();
  }

  /** An attempt is there; returns whether it has to wait until it is admitted. */
  boolean arrived(Configuration task, TaskAttempt attempt) {
    synchronized (all) {
      all.add(attempt);
      if (over) {
        attempt.abandon();
        return true;
      }
    }
    if (Boolean.parseBoolean(task.getString(CONDUCTS, "false"))) {
      attempt.notice();
      conductors.add(attempt);
      return false;
    }
    seats.get(attempt.subtask()).add(attempt);
    return true;
  }

  /** The next attempt at a seat. */
  TaskAttempt next(int subtask) {
    try {
      TaskAttempt attempt = seats.get(subtask).poll(patienceMillis, TimeUnit.MILLISECONDS);
      if (attempt == null) {
        throw new InconclusiveException("Flink did not start subtask " + subtask + " again");
      }
      return attempt;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InconclusiveException("interrupted");
    }
  }

  boolean isWaiting(int subtask) {
    return !seats.get(subtask).isEmpty();
  }

  /** The job manager hears now of the attempts that have ended, of one seat or of all. */
  void noticeEnds(OptionalInt subtask) {
    synchronized (all) {
      all.stream()
          .filter(attempt -> attempt.closed().isDone() || attempt.isLost())
          .filter(attempt -> subtask.isEmpty() || subtask.getAsInt() == attempt.subtask())
          .forEach(TaskAttempt::notice);
    }
  }

  /**
   * Waits until the job manager knows that an attempt has ended: what it triggers depends on it. An
   * attempt that fails while it closes may have a successor already, or be one whose failure the
   * job manager is not to hear of yet. The job manager tells nobody of the end of a single
   * execution, so that it is asked again and again.
   */
  void awaitEnd(TaskAttempt attempt) {
    int subtask = attempt.subtask();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (System.nanoTime() < deadline) {
      if (!attempt.endedRegularly()) {
        return;
      }
      AccessExecutionGraph graph = await(cluster.getExecutionGraph(id), "the state of the job");
      for (AccessExecutionJobVertex vertex : graph.getVerticesTopologically()) {
        if (vertex.getName().contains(CONDUCTOR)) {
          continue;
        }
        AccessExecution current = vertex.getTaskVertices()[subtask].getCurrentExecutionAttempt();
        if (current.getState().isTerminal() || current.getAttemptNumber() > attempt.number()) {
          return;
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new InconclusiveException("Flink does not let subtask " + subtask + " finish");
  }

  private TaskAttempt conductor() {
    TaskAttempt newest = conductors.poll();
    while (newest != null) {
      conductor = newest;
      newest = conductors.poll();
    }
    TaskAttempt current = conductor;
    if (current == null) {
      current = await(CompletableFuture.supplyAsync(this::takeConductor), "the conductor");
      conductor = current;
    }
    await(current.running(), "the conductor's start");
    return current;
  }

  private TaskAttempt takeConductor() {
    try {
      return conductors.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InconclusiveException("interrupted");
    }
  }

  /** Begins the checkpoint that the schedule calls so, unless it has begun; returns its real id. */
  long begin(long checkpoint) {
    Pending known = pending.get(checkpoint);
    if (known != null) {
      return known.real();
    }
    return begin(checkpoint, () -> cluster.triggerCheckpoint(id));
  }

  /** Begins a savepoint. */
  void beginSavepoint(long checkpoint, @Nullable Ending ending, String directory) {
    if (ending != null) {
      endings.put(checkpoint, ending);
    }
    begin(
        checkpoint,
        () ->
            ending == null
                ? cluster.triggerSavepoint(id, directory, false, SavepointFormatType.CANONICAL)
                : cluster.stopWithSavepoint(
                    id, directory, ending == Ending.DRAINED, SavepointFormatType.CANONICAL));
  }

  private long begin(long checkpoint, Supplier<CompletableFuture<String>> order) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (System.nanoTime() < deadline) {
      TaskAttempt current = conductor();
      CompletableFuture<TaskAttempt.Trigger> arrival = current.nextTrigger();
      CompletableFuture<String> path = order.get();
      awaitEither(arrival, path);
      if (arrival.isDone()) {
        long real = arrival.join().data().getCheckpointId();
        latestReal = real;
        pending.put(checkpoint, new Pending(real, current, path));
        return real;
      }
      // Refused, because the job manager has not heard yet that all tasks run.
    }
    throw new InconclusiveException("Flink does not begin checkpoint " + checkpoint);
  }

  private void awaitEither(CompletableFuture<?> one, CompletableFuture<?> other) {
    try {
      CompletableFuture.anyOf(one, other).get(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException refused) {
      LockSupport.parkNanos(PAUSE_NANOS);
    } catch (TimeoutException e) {
      throw new InconclusiveException("Flink neither begins a checkpoint nor refuses it");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InconclusiveException("interrupted");
    }
  }

  /** Completes a checkpoint; returns where it is stored. */
  String complete(long checkpoint) {
    Pending begun = begun(checkpoint);
    DrivenTask task = Objects.requireNonNull(begun.conductor().task());
    await(task.pass(begun.conductor().trigger(begun.real()).join()), "the conductor's part");
    return await(begun.path(), "the completion of checkpoint " + checkpoint);
  }

  /**
   * Completes a savepoint with which the job stops, and lets the conductor end.
   *
   * @return where it is stored, once all tasks have ended
   */
  CompletableFuture<String> completeLast(long checkpoint) {
    Pending begun = begun(checkpoint);
    TaskAttempt conducts = begun.conductor();
    DrivenTask task = Objects.requireNonNull(conducts.task());
    await(task.stop(conducts.trigger(begun.real()).join(), false), "the conductor's part");
    await(conducts.completion(begun.real()), "the completion of savepoint " + checkpoint);
    conducts.mayEnd();
    Future<Void> unused = task.tellComplete(begun.real());
    return begun.path();
  }

  /** Whether the job ends with this savepoint. */
  boolean stopsWith(long checkpoint) {
    return endings.containsKey(checkpoint);
  }

  /** Completes a checkpoint of which all will be told that it has failed. */
  String completeDoubted(long checkpoint) {
    doubted.add(checkpoint);
    return complete(checkpoint);
  }

  boolean isDoubted(long checkpoint) {
    return doubted.contains(checkpoint);
  }

  /** Gives a checkpoint up. */
  void giveUp(long checkpoint) {
    Pending begun = begun(checkpoint);
    DrivenTask task = Objects.requireNonNull(begun.conductor().task());
    task.decline(begun.conductor().trigger(begun.real()).join());
    await(begun.path().handle((path, error) -> ""), "the end of checkpoint " + checkpoint);
  }

  private Pending begun(long checkpoint) {
    Pending begun = pending.get(checkpoint);
    if (begun == null) {
      throw new InconclusiveException("checkpoint " + checkpoint + " has not begun in Flink");
    }
    return begun;
  }

  /** The real id of a checkpoint of this job. */
  long real(long checkpoint) {
    return begun(checkpoint).real();
  }

  /** The same; a new one if the job manager has begun no such checkpoint. */
  long realOrNew(long checkpoint) {
    Pending begun = pending.get(checkpoint);
    return begun == null ? latestReal + 1 : begun.real();
  }

  /** Whether an attempt that the job has lost still runs. */
  boolean hasZombie() {
    synchronized (all) {
      return all.stream().anyMatch(attempt -> attempt.isLost() && !attempt.closed().isDone());
    }
  }

  /** Waits until something has happened, for a limited time. */
  <T extends @Nullable Object> T await(CompletableFuture<T> future, String what) {
    try {
      return future.get(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new InconclusiveException(what + " failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new InconclusiveException(what + " took longer than " + patienceMillis + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InconclusiveException("interrupted");
    }
  }

  /** Forgets the job, which has ended. */
  void forget() {
    abandon();
    JOBS.remove(run);
  }

  /** Cancels the job and waits for its end. */
  void cancel() {
    abandon();
    await(cluster.cancelJob(id), "the job's cancellation");
    await(cluster.requestJobResult(id), "the job's end");
    JOBS.remove(run);
  }

  private void abandon() {
    synchronized (all) {
      over = true;
      all.forEach(TaskAttempt::abandon);
    }
  }

  /** Cancels the job, and does not wait for its end. */
  CompletableFuture<?> cancelSoon() {
    abandon();
    return cluster
        .cancelJob(id)
        .thenCompose(done -> cluster.requestJobResult(id))
        .handle((result, error) -> JOBS.remove(run));
  }
}
