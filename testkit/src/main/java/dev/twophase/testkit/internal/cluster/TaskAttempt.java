package dev.twophase.testkit.internal.cluster;

import dev.twophase.testkit.internal.gate.CallGate;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.flink.runtime.checkpoint.CheckpointMetaData;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.runtime.execution.Environment;
import org.jspecify.annotations.Nullable;

/**
 * One real attempt of a task, as the schedule's side sees it. The task waits here before it
 * restores, and once more when its operators are closed and before anybody hears that it has ended;
 * what the job manager sends it waits here too. Thread-safe.
 */
final class TaskAttempt {

  private static final ThreadLocal<@Nullable TaskAttempt> CURRENT = new ThreadLocal<>();

  private static final int FRAMES = 8;

  private final Thread thread = Thread.currentThread();
  private final Environment environment;
  private final int subtask;
  private final int number;
  private final OptionalLong restored;
  private final CompletableFuture<@Nullable CallGate> admission = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> running = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> closing = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> noticed = new CompletableFuture<>();
  private final Map<Long, CompletableFuture<@Nullable Void>> signals = new ConcurrentHashMap<>();
  private final Map<Long, CompletableFuture<@Nullable Void>> aborts = new ConcurrentHashMap<>();
  private final Map<Long, CompletableFuture<@Nullable Void>> acknowledgements =
      new ConcurrentHashMap<>();
  private final Map<Long, CompletableFuture<Trigger>> triggers = new ConcurrentHashMap<>();
  private final AtomicLong step = new AtomicLong();
  private volatile @Nullable DrivenTask task;
  private volatile @Nullable Throwable failure;
  private volatile boolean ending;
  private volatile boolean lost;
  private volatile boolean believedDead;
  private volatile long startTime;
  private volatile boolean endedRegularly;
  private CompletableFuture<Trigger> next = new CompletableFuture<>();

  /** A barrier that the job manager has sent, and that has not passed yet. */
  record Trigger(
      CheckpointMetaData data, CheckpointOptions options, CompletableFuture<Boolean> result) {}

  private TaskAttempt(Environment environment) {
    this.environment = environment;
    this.subtask = environment.getTaskInfo().getIndexOfThisSubtask();
    this.number = environment.getTaskInfo().getAttemptNumber();
    this.restored =
        environment
            .getTaskStateManager()
            .getRestoreCheckpointId()
            .map(OptionalLong::of)
            .orElse(OptionalLong.empty());
  }

  /** Called by the thread of a new task: waits until its time has come. */
  static Environment admit(Environment environment) throws Exception {
    TaskAttempt attempt = new TaskAttempt(environment);
    DrivenJob job = DrivenJob.of(environment.getTaskConfiguration());
    if (job == null) {
      throw new CancelTaskException("the run of this task is over");
    }
    if (environment.getTaskStateManager().isTaskDeployedAsFinished()
        || !job.arrived(environment.getTaskConfiguration(), attempt)) {
      attempt.admission.complete(null);
      attempt.close();
    }
    CURRENT.set(attempt);
    CallGate gate = attempt.admission.get();
    CallGate.bind(gate);
    return Watched.environment(environment, attempt);
  }

  static TaskAttempt current() {
    TaskAttempt attempt = CURRENT.get();
    if (attempt == null) {
      throw new IllegalStateException("not in the thread of a driven task");
    }
    return attempt;
  }

  /** The operators are closed: the attempt has ended, and nobody hears of it before it may. */
  static void headClosed() {
    TaskAttempt attempt = CURRENT.get();
    if (attempt != null) {
      boolean regular = attempt.endsRegularly();
      attempt.endedRegularly = regular;
      attempt.closed.complete(null);
      if (!regular) {
        attempt.noticed.join();
      }
    }
  }

  private boolean endsRegularly() {
    DrivenTask itself = task;
    return itself == null || !(itself.isFailing() || itself.isCanceled());
  }

  /**
   * Lets it start.
   *
   * @param processingTime what its clock shows
   */
  void admit(@Nullable CallGate gate, long processingTime) {
    startTime = processingTime;
    admission.complete(gate);
  }

  /** What its clock shows at the start. */
  long startTime() {
    return startTime;
  }

  /** The job has lost it; the job manager does not know yet. */
  void lose() {
    lost = true;
  }

  boolean isLost() {
    return lost;
  }

  /** Lets whatever waits go on, towards its end. */
  void abandon() {
    admission.completeExceptionally(new CancelTaskException("the run of this task is over"));
    closing.complete(null);
    noticed.complete(null);
  }

  /** From now on the job manager hears that this attempt has ended, or believes so. */
  void notice() {
    if (lost && !closed.isDone() && !believedDead) {
      believedDead = true;
      FalseReports.ofFailure(environment);
    }
    noticed.complete(null);
  }

  /** The input has ended and the final checkpoint is known: closing is the regular end. */
  void mayEnd() {
    ending = true;
  }

  boolean ending() {
    return ending;
  }

  /** The schedule has come to where the operators of an attempt without any more work close. */
  void close() {
    closing.complete(null);
  }

  /**
   * Called by the thread of such a task. If it went on at once, a fault that fires while it closes
   * would sometimes be seen by the job while its last notification is still on its way.
   */
  void awaitClosing() {
    closing.join();
  }

  /**
   * Whether the job manager hears of the end at once; of a failure it hears when the schedule says
   * so.
   */
  boolean endedRegularly() {
    return endedRegularly;
  }

  int subtask() {
    return subtask;
  }

  /** Which attempt of its subtask this is, from 0. */
  int number() {
    return number;
  }

  OptionalLong restored() {
    return restored;
  }

  void bind(DrivenTask itself) {
    task = itself;
  }

  @Nullable DrivenTask task() {
    return task;
  }

  void isRunning() {
    running.complete(null);
  }

  CompletableFuture<@Nullable Void> running() {
    return running;
  }

  CompletableFuture<@Nullable Void> closed() {
    return closed;
  }

  void failed(Throwable error) {
    if (failure == null) {
      failure = error;
    }
  }

  @Nullable Throwable failure() {
    return failure;
  }

  synchronized void triggerArrived(Trigger trigger) {
    trigger(trigger.data().getCheckpointId()).complete(trigger);
    next.complete(trigger);
  }

  /** The next barrier to arrive from now on. */
  synchronized CompletableFuture<Trigger> nextTrigger() {
    next = new CompletableFuture<>();
    return next;
  }

  CompletableFuture<Trigger> trigger(long checkpoint) {
    return triggers.computeIfAbsent(checkpoint, key -> new CompletableFuture<>());
  }

  /** Completed once the job manager has been sent this attempt's part of a checkpoint. */
  CompletableFuture<@Nullable Void> acknowledgement(long checkpoint) {
    return acknowledgements.computeIfAbsent(checkpoint, key -> new CompletableFuture<>());
  }

  CompletableFuture<@Nullable Void> completion(long checkpoint) {
    return signals.computeIfAbsent(checkpoint, key -> new CompletableFuture<>());
  }

  CompletableFuture<@Nullable Void> abortion(long checkpoint) {
    return aborts.computeIfAbsent(checkpoint, key -> new CompletableFuture<>());
  }

  /** The innermost frames of its thread, for messages. */
  String whereItIs() {
    return Arrays.stream(thread.getStackTrace())
        .limit(FRAMES)
        .map(StackTraceElement::toString)
        .collect(Collectors.joining(" < "));
  }

  /** Counts the steps of this attempt; part of what identifies a call. */
  long step() {
    return step.get();
  }

  void nextStep() {
    step.incrementAndGet();
  }
}
