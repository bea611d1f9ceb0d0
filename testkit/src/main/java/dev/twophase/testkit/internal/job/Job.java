package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.job.JobObserver.Operation;
import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.tier.Tier;
import dev.twophase.testkit.internal.watch.FreezableTask;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.internal.watch.Watch;
import dev.twophase.testkit.schedule.Source;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.time.Duration;
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
  private final Savepoints<S> savepoints;
  final Endings<S> endings;
  private final Watch watch = Watch.ofThisThread();
  private long clock;
  private boolean started;
  private boolean mayFreeze;
  private boolean zombieCameLate;
  private long blockingNanos = Duration.ofSeconds(30).toNanos();

  public Job(
      Tier<S> tier, int parallelism, Source source, CallDecider decider, JobObserver observer) {
    this.tier = tier;
    this.source = source;
    this.decider = decider;
    this.observer = observer;
    this.input = new InputLog(source, parallelism);
    this.recovery = new Recovery<>(this, parallelism);
    this.settling = new Settling<>(this);
    this.savepoints = new Savepoints<>(this);
    this.endings = new Endings<>(this);
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
    return switch (step.verb()) {
      case UP -> recovery.up(step);
      case DONE -> done(step.number());
      case DOUBT -> doubt(step.number());
      case ABT -> giveUp(step.number());
      case CLK -> advanceClock(step.number());
      case SETTLE -> settling.settle();
      case IN, BAR, NTF, NAB, EOI, KILL, FAIL, LOSE -> onSubtasks(step);
      case SAV -> savepoints.take(step);
      case STOP -> savepoints.stop(step);
      case EXT -> throw new InconclusiveException("'" + step + "' is for the run, not for the job");
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
    if (step.verb() != Verb.KILL && thaw(attempt) && attempt.phase != Phase.ZOMBIE) {
      return true;
    }
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
      case KILL -> !finished && endings.kill(attempt);
      case FAIL -> !finished && endings.fail(attempt);
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
    noteZombie(attempt);
    for (long k = 0; k < count; k++) {
      TestRecord record =
          attempt.phase == Phase.ZOMBIE
              ? input.peek(attempt.index(), attempt.zombieReads++)
              : input.next(attempt.index());
      if (record == null) {
        return k > 0;
      }
      attempt.given((int) record.id());
      TestRecord copy = record.deliveredTo(attempt.attempt());
      if (attempt.phase == Phase.RUNNING) {
        input.delivered(copy);
      }
      if (!ask(Operation.INPUT, attempt, subtask -> subtask.input(copy))) {
        break;
      }
    }
    return true;
  }

  boolean barrier(RunningAttempt<S> attempt, long id) {
    if (attempt.phase == Phase.ZOMBIE) {
      noteZombie(attempt);
      return ask(Operation.SNAPSHOT, attempt, subtask -> subtask.snapshot(id));
    }
    Checkpoint<S> checkpoint = checkpoints.trigger(id, attempts.size());
    if (checkpoint == null) {
      return false;
    }
    if (attempt.finished) {
      checkpoint.acknowledge(attempt, null);
      return true;
    }
    if (id <= attempt.lastBarrier) {
      return false;
    }
    attempt.barrierPasses(id);
    ask(
        Operation.SNAPSHOT,
        attempt,
        subtask -> {
          S state = subtask.snapshot(id);
          if (attempt.phase == Phase.RUNNING) {
            checkpoint.acknowledge(attempt, state);
          }
        });
    return true;
  }

  boolean done(long id) {
    Checkpoint<S> checkpoint = checkpoints.store(id);
    if (checkpoint == null) {
      return false;
    }
    tier.stored(id);
    input.stored(checkpoint.coverage());
    input.held(checkpoint.spans());
    return true;
  }

  private boolean doubt(long id) {
    boolean doubtful = checkpoints.doubt(id);
    if (doubtful) {
      tier.doubted(id);
    }
    return doubtful;
  }

  boolean giveUp(long id) {
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
    if (attempt.phase == Phase.ZOMBIE && !attempt.tookPartIn(id)) {
      // The job tells an attempt of what it took part in; late it may be, but not another's.
      return false;
    }
    boolean alive = ask(Operation.NOTIFY_COMPLETE, attempt, subtask -> subtask.notifyComplete(id));
    if (alive && attempt.endedAtLastBarrier && id >= attempt.lastBarrier) {
      endings.close(attempt);
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

  private boolean lose(RunningAttempt<S> attempt) {
    if (attempt.phase != Phase.RUNNING) {
      return false;
    }
    attempt.phase = Phase.ZOMBIE;
    attempt.lostBefore = checkpoints.nextId();
    zombies.add(attempt);
    tier.lost(attempt.index(), attempt.attempt());
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

  /** Asks something of a living attempt; returns whether it still lives. */
  boolean ask(
      Operation operation,
      RunningAttempt<S> attempt,
      Invocation.Action<? super Subtask<S>> action) {
    Subtask<S> subtask = attempt.subtask;
    if (subtask == null) {
      return false;
    }
    Invocation<?> invocation = invocation(attempt, subtask, action);
    if (!mayFreeze) {
      invocation.run();
    } else if (!invoke(attempt, invocation, () -> asked(operation, attempt, invocation.error()))) {
      return false;
    }
    return asked(operation, attempt, invocation.error());
  }

  /** Makes a call; returns false if the attempt froze in it and was lost. */
  boolean invoke(RunningAttempt<S> attempt, Invocation<?> invocation, Runnable afterwards) {
    if (!mayFreeze || attempt.phase != Phase.RUNNING) {
      invocation.run();
      return true;
    }
    FreezableTask task = new FreezableTask();
    attempt.gate.freezeBy(task);
    if (task.run(invocation)) {
      attempt.gate.freezeBy(null);
      return true;
    }
    attempt.frozen = new RunningAttempt.Frozen(task, afterwards);
    lose(attempt);
    return false;
  }

  /** Lets an attempt go on in the call in which it froze; false if it is not frozen. */
  boolean thaw(RunningAttempt<S> attempt) {
    RunningAttempt.Frozen frozen = attempt.frozen;
    if (frozen == null) {
      return false;
    }
    noteZombie(attempt);
    if (frozen.task().thaw()) {
      attempt.frozen = null;
      attempt.gate.freezeBy(null);
      frozen.afterwards().run();
    }
    return true;
  }

  /** How long a call of an attempt may take, in real time; 30 seconds unless set. */
  public void limitCalls(Duration limit) {
    blockingNanos = limit.toNanos();
  }

  private void noteZombie(RunningAttempt<S> attempt) {
    zombieCameLate |= attempt.phase == Phase.ZOMBIE && checkpoints.nextId() > attempt.lostBefore;
  }

  /**
   * Whether a lost attempt did something when the barrier of a checkpoint had passed without it:
   * what it left behind then, nobody was there to see, before the next attempt is.
   */
  public boolean zombieCameLate() {
    return zombieCameLate;
  }

  /** Whether calls may freeze from here on; it takes a thread for each. */
  public void mayFreeze(boolean may) {
    mayFreeze = may;
  }

  private boolean asked(Operation operation, RunningAttempt<S> attempt, @Nullable Throwable error) {
    if (attempt.gate.severed()) {
      endings.buried(operation, attempt, error);
      return false;
    }
    observer.observed(operation, attempt, error);
    if (error != null) {
      endings.died(attempt, error);
      return false;
    }
    return true;
  }

  <T> Invocation<T> invocation(
      RunningAttempt<S> attempt, T target, Invocation.Action<? super T> action) {
    return new Invocation<>(watch, attempt.gate, target, action, blockingNanos);
  }

  static Throwable refuseToSwallow(Throwable thrown) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof InconclusiveException refused) {
        throw refused;
      }
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

  /** Whether all subtasks have ended in order. */
  public boolean hasEnded() {
    for (RunningAttempt<S> attempt : attempts) {
      if (!attempt.finished) {
        return false;
      }
    }
    return !attempts.isEmpty();
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

  /** Whether the settling went to the end; false if it gave up. */
  public boolean settled() {
    return settling.succeeded();
  }

  /** Whether the job was ever taken back before a checkpoint that had been stored (R6). */
  public boolean rewound() {
    return recovery.rewound();
  }

  /** What the last attempt that failed died of. */
  public @Nullable Throwable lastError() {
    return endings.lastError();
  }

  /** Ends whatever still runs, without any call of the sink. */
  public void abandon() {
    endings.abandon();
  }
}
