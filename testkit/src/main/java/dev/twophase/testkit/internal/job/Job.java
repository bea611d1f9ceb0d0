package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.job.JobObserver.Operation;
import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.tier.Tier;
import dev.twophase.testkit.schedule.Source;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The job around a sink: attempts, checkpoints, notifications and recovery, one step at a time, all
 * in the calling thread. A step that has no effect in the present situation, such as a notification
 * for a dead attempt, is skipped.
 *
 * @param <S> state of one subtask in one checkpoint
 */
public final class Job<S> {

  /** Something asked of an attempt. */
  interface Action<S> {
    void run(Subtask<S> subtask) throws Exception;
  }

  final Tier<S> tier;
  final Source source;
  final CallDecider decider;
  final JobObserver observer;
  final InputLog input;
  final Checkpoints<S> checkpoints = new Checkpoints<>();
  final List<RunningAttempt<S>> attempts = new ArrayList<>();
  final List<RunningAttempt<S>> zombies = new ArrayList<>();
  private final Recovery<S> recovery;
  private final Settling<S> settling;
  private long clock;
  private boolean started;
  private @Nullable Throwable lastError;

  public Job(
      Tier<S> tier, int parallelism, Source source, CallDecider decider, JobObserver observer) {
    this.tier = tier;
    this.source = source;
    this.decider = decider;
    this.observer = observer;
    this.input = new InputLog(source, parallelism);
    this.recovery = new Recovery<>(this, parallelism);
    this.settling = new Settling<>(this);
  }

  /**
   * Executes one step.
   *
   * @return false if it was skipped
   * @throws InconclusiveException if such a step cannot be executed here
   */
  public boolean execute(Step step) {
    if (!started) {
      started = true;
      if (step.verb() != Verb.UP || step.subtask() != Step.JOB) {
        recovery.restart(null, Step.SAME);
      }
    }
    if (!tier.runs(step.verb())) {
      throw new InconclusiveException("'" + step + "' is not runnable in this tier");
    }
    return switch (step.verb()) {
      case UP -> recovery.up(step);
      case DONE -> done(step.number());
      case DOUBT -> checkpoints.doubt(step.number());
      case ABT -> giveUp(step.number());
      case CLK -> advanceClock(step.number());
      case SETTLE -> settling.settle();
      case IN, BAR, NTF, NAB, EOI, KILL, FAIL, LOSE -> onSubtasks(step);
      case SAV, STOP, EXT ->
          throw new InconclusiveException("'" + step + "' is not runnable in this tier");
    };
  }

  private boolean onSubtasks(Step step) {
    if (step.subtask() != Step.ALL) {
      RunningAttempt<S> attempt = find(step.subtask(), step.attempt());
      return attempt != null && onSubtask(step, attempt);
    }
    boolean any = false;
    for (int i = 0; i < attempts.size(); i++) {
      any |= onSubtask(step, attempts.get(i));
    }
    return any;
  }

  private boolean onSubtask(Step step, RunningAttempt<S> attempt) {
    boolean finished = attempt.finished;
    if (!finished && attempt.phase != Phase.RUNNING && attempt.phase != Phase.ZOMBIE) {
      return false;
    }
    return switch (step.verb()) {
      case BAR -> barrier(attempt, step.number());
      case IN -> !finished && deliver(attempt, step.number());
      case NTF -> !finished && notifyComplete(attempt, step.number());
      case NAB -> !finished && notifyAborted(attempt, step.number());
      case EOI -> !finished && endOfInput(attempt);
      case KILL -> !finished && kill(attempt);
      case FAIL -> !finished && fail(attempt);
      case LOSE -> !finished && lose(attempt);
      default -> throw new AssertionError(step);
    };
  }

  private @Nullable RunningAttempt<S> find(int index, int number) {
    if (number == Step.LATEST) {
      return index < attempts.size() ? attempts.get(index) : null;
    }
    for (RunningAttempt<S> zombie : zombies) {
      if (zombie.index() == index && zombie.attempt() == number) {
        return zombie;
      }
    }
    RunningAttempt<S> latest = index < attempts.size() ? attempts.get(index) : null;
    return latest != null && latest.attempt() == number ? latest : null;
  }

  boolean deliver(RunningAttempt<S> attempt, long count) {
    if (attempt.ended) {
      return false;
    }
    for (long k = 0; k < count; k++) {
      TestRecord record =
          attempt.phase == Phase.ZOMBIE
              ? input.peek(attempt.index(), attempt.zombieReads++)
              : input.next(attempt.index());
      if (record == null) {
        return k > 0;
      }
      attempt.delivered.set((int) record.id());
      if (!ask(Operation.INPUT, attempt, subtask -> subtask.input(record))) {
        break;
      }
    }
    return true;
  }

  boolean barrier(RunningAttempt<S> attempt, long id) {
    if (attempt.phase == Phase.ZOMBIE) {
      return ask(Operation.SNAPSHOT, attempt, subtask -> subtask.snapshot(id));
    }
    Checkpoint<S> checkpoint = checkpoints.trigger(id, attempts.size());
    if (checkpoint == null) {
      return false;
    }
    if (attempt.finished) {
      checkpoint.acknowledge(attempt.index(), null, attempt.delivered);
      return true;
    }
    if (id <= attempt.lastBarrier) {
      return false;
    }
    attempt.lastBarrier = id;
    attempt.endedAtLastBarrier = attempt.ended;
    ask(
        Operation.SNAPSHOT,
        attempt,
        subtask ->
            checkpoint.acknowledge(attempt.index(), subtask.snapshot(id), attempt.delivered));
    return true;
  }

  boolean done(long id) {
    Checkpoint<S> checkpoint = checkpoints.store(id);
    if (checkpoint == null) {
      return false;
    }
    tier.stored(id);
    input.stored(checkpoint.coverage());
    return true;
  }

  private boolean giveUp(long id) {
    boolean given = checkpoints.abort(id);
    if (given) {
      tier.givenUp(id);
    }
    return given;
  }

  boolean notifyComplete(RunningAttempt<S> attempt, long id) {
    if (!checkpoints.isStored(id)) {
      return false;
    }
    boolean alive = ask(Operation.NOTIFY_COMPLETE, attempt, subtask -> subtask.notifyComplete(id));
    if (alive && attempt.endedAtLastBarrier && id >= attempt.lastBarrier) {
      close(attempt);
      attempt.finished = true;
    }
    return true;
  }

  boolean notifyAborted(RunningAttempt<S> attempt, long id) {
    if (!checkpoints.isGivenUp(id)) {
      return false;
    }
    ask(Operation.NOTIFY_ABORTED, attempt, subtask -> subtask.notifyAborted(id));
    return true;
  }

  boolean endOfInput(RunningAttempt<S> attempt) {
    if (attempt.ended) {
      return false;
    }
    while (attempt.phase == Phase.RUNNING && input.hasReplay(attempt.index())) {
      deliver(attempt, 1);
    }
    attempt.ended = true;
    if (attempt.phase != Phase.DEAD) {
      ask(Operation.END_OF_INPUT, attempt, Subtask::endOfInput);
    }
    return true;
  }

  private boolean kill(RunningAttempt<S> attempt) {
    attempt.gate.sever();
    bury(attempt, null);
    return true;
  }

  private boolean fail(RunningAttempt<S> attempt) {
    close(attempt);
    attempt.phase = Phase.DEAD;
    return true;
  }

  private boolean lose(RunningAttempt<S> attempt) {
    if (attempt.phase != Phase.RUNNING) {
      return false;
    }
    attempt.phase = Phase.ZOMBIE;
    zombies.add(attempt);
    return true;
  }

  private boolean advanceClock(long millis) {
    clock += millis;
    for (RunningAttempt<S> attempt : attempts) {
      if (attempt.phase == Phase.RUNNING) {
        ask(Operation.CLOCK, attempt, subtask -> subtask.advanceClock(clock));
      }
    }
    return true;
  }

  /** Closes an attempt in order; what that throws concerns nobody, as in Flink. */
  void close(RunningAttempt<S> attempt) {
    Subtask<S> subtask = attempt.subtask;
    attempt.phase = Phase.CLOSED;
    attempt.subtask = null;
    if (subtask == null) {
      return;
    }
    CallGate.bind(attempt.gate);
    Throwable error = null;
    try {
      subtask.close();
    } catch (Throwable thrown) {
      error = refuseToSwallow(thrown);
    } finally {
      CallGate.bind(null);
    }
    if (attempt.gate.severed()) {
      subtask.drop();
    }
    observer.observed(Operation.CLOSE, attempt, error);
  }

  /** Asks something of a living attempt; returns whether it still lives. */
  boolean ask(Operation operation, RunningAttempt<S> attempt, Action<S> action) {
    Subtask<S> subtask = attempt.subtask;
    if (subtask == null) {
      return false;
    }
    Throwable error = null;
    CallGate.bind(attempt.gate);
    try {
      action.run(subtask);
    } catch (Throwable thrown) {
      error = refuseToSwallow(thrown);
    } finally {
      CallGate.bind(null);
    }
    if (attempt.gate.severed()) {
      bury(attempt, null);
      observer.observed(operation, attempt, null);
      return false;
    }
    observer.observed(operation, attempt, error);
    if (error != null) {
      died(attempt, error);
      return false;
    }
    return true;
  }

  private void died(RunningAttempt<S> attempt, Throwable error) {
    lastError = error;
    close(attempt);
    attempt.phase = Phase.DEAD;
  }

  /** Forgets an attempt without any further call of it. */
  void bury(RunningAttempt<S> attempt, @Nullable Throwable error) {
    Subtask<S> subtask = attempt.subtask;
    attempt.subtask = null;
    attempt.phase = Phase.DEAD;
    if (error != null) {
      lastError = error;
    }
    if (subtask != null) {
      subtask.drop();
    }
  }

  static Throwable refuseToSwallow(Throwable thrown) {
    if (thrown instanceof VirtualMachineError broken) {
      throw broken;
    }
    if (thrown instanceof InconclusiveException refused) {
      throw refused;
    }
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return thrown;
  }

  /** Whether some subtask of the job is down. */
  public boolean isDown() {
    for (RunningAttempt<S> attempt : attempts) {
      if (attempt.phase != Phase.RUNNING && !attempt.finished) {
        return true;
      }
    }
    return false;
  }

  /** The attempts that the job knows, by index of the subtask. */
  public List<RunningAttempt<S>> attempts() {
    return attempts;
  }

  /** The attempts that the job has lost and that still run. */
  public List<RunningAttempt<S>> zombies() {
    return zombies;
  }

  public Checkpoints<S> checkpoints() {
    return checkpoints;
  }

  public InputLog input() {
    return input;
  }

  /** What the last attempt that failed died of. */
  public @Nullable Throwable lastError() {
    return lastError;
  }

  /** Whether the settling went to the end; false if it gave up. */
  public boolean settled() {
    return settling.succeeded();
  }

  /** Whether the job was ever taken back before a checkpoint that had been stored (R6). */
  public boolean rewound() {
    return recovery.rewound();
  }

  /** Ends whatever still runs, without any call of the sink. */
  public void abandon() {
    for (RunningAttempt<S> attempt : attempts) {
      attempt.gate.sever();
      bury(attempt, null);
    }
    for (RunningAttempt<S> zombie : zombies) {
      zombie.gate.sever();
      bury(zombie, null);
    }
  }
}
