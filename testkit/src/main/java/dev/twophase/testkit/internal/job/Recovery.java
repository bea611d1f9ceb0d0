package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.job.Checkpoint.Status;
import dev.twophase.testkit.internal.job.JobObserver.Operation;
import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.schedule.Step;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Brings a job, or one region of it, up from a checkpoint. */
final class Recovery<S> {

  private final Job<S> job;
  private int parallelism;
  private int generation;
  private boolean rewound;

  Recovery(Job<S> job, int parallelism) {
    this.job = job;
    this.parallelism = parallelism;
  }

  boolean up(Step step) {
    Checkpoint<S> from = checkpointOf(step);
    if (step.subtask() >= 0) {
      return step.subtask() < parallelism && region(step.subtask(), from);
    }
    restart(from, step.parallelism());
    return true;
  }

  private @Nullable Checkpoint<S> checkpointOf(Step step) {
    if (!step.word().isEmpty()) {
      Checkpoint<S> savepoint = job.checkpoints.savepoint(step.word());
      if (savepoint == null) {
        throw new InconclusiveException(
            "'" + step + "': savepoint " + step.word() + " was not taken");
      }
      return savepoint;
    }
    if (step.number() == 0) {
      return null;
    }
    Checkpoint<S> from = job.checkpoints.find(step.number());
    if (from == null || from.status == Status.PENDING || from.status == Status.ABORTED) {
      throw new InconclusiveException(
          "'" + step + "': checkpoint " + step.number() + " was not stored");
    }
    return from;
  }

  /** Ends what is left of the job and starts all subtasks, from a checkpoint or without state. */
  void restart(@Nullable Checkpoint<S> from, int newParallelism) {
    for (RunningAttempt<S> attempt : job.attempts) {
      if (attempt.phase == Phase.RUNNING) {
        job.endings.close(attempt);
      }
    }
    job.attempts.forEach(job.endings::retire);
    job.attempts.clear();
    parallelism = newParallelism == Step.SAME ? parallelism : newParallelism;
    rewound |= job.checkpoints.isRewind(from);
    job.checkpoints.continueFrom(from);
    List<BitSet> behind =
        job.input.rewindAll(from == null ? new BitSet() : from.coverage(), parallelism);
    if (from != null) {
      job.input.held(from.spans());
    }
    List<@Nullable S> states = states(from);
    int attempt = generation++;
    for (int i = 0; i < parallelism; i++) {
      start(i, attempt, from, states.get(i), behind.get(i), isFinishedIn(from, i));
    }
  }

  private List<@Nullable S> states(@Nullable Checkpoint<S> from) {
    List<@Nullable S> states = new ArrayList<>(parallelism);
    if (from == null) {
      for (int i = 0; i < parallelism; i++) {
        states.add(null);
      }
      return states;
    }
    if (from.parallelism() == parallelism && hasFinished(from)) {
      for (int i = 0; i < parallelism; i++) {
        states.add(from.state(i));
      }
      return states;
    }
    List<S> present = new ArrayList<>(from.parallelism());
    for (int i = 0; i < from.parallelism(); i++) {
      S state = from.state(i);
      if (state != null) {
        present.add(state);
      }
    }
    // At the same parallelism too: union state goes to every subtask.
    states.addAll(job.tier.repartition(present, parallelism));
    return states;
  }

  private static boolean hasFinished(Checkpoint<?> checkpoint) {
    for (int i = 0; i < checkpoint.parallelism(); i++) {
      if (checkpoint.state(i) == null) {
        return true;
      }
    }
    return false;
  }

  private boolean isFinishedIn(@Nullable Checkpoint<S> from, int subtask) {
    return from != null && from.parallelism() == parallelism && from.state(subtask) == null;
  }

  private boolean region(int subtask, @Nullable Checkpoint<S> from) {
    if (from != null && from.parallelism() != parallelism) {
      throw new InconclusiveException(
          "s" + subtask + ".up " + from.id + ": its parallelism was another one");
    }
    RunningAttempt<S> former = job.attempts.get(subtask);
    if (former.phase == Phase.RUNNING) {
      job.endings.close(former);
    }
    job.endings.retire(former);
    job.checkpoints.abortPending();
    BitSet covered = from == null ? new BitSet() : from.coverage();
    if (from != null && from.status == Status.DOUBTFUL) {
      from.status = Status.STORED;
    }
    if (from != null) {
      job.input.held(from.spans());
    }
    BitSet behind = job.input.rewindOne(subtask, covered);
    S state = states(from).get(subtask);
    start(subtask, generation++, from, state, behind, isFinishedIn(from, subtask));
    return true;
  }

  private void start(
      int index,
      int attempt,
      @Nullable Checkpoint<S> from,
      @Nullable S state,
      BitSet behind,
      boolean finished) {
    CallGate gate = new CallGate(job.decider, index, attempt);
    RunningAttempt<S> running = new RunningAttempt<>(gate, behind);
    running.restored = from == null ? 0 : from.id;
    running.lastBarrier = running.restored;
    if (index < job.attempts.size()) {
      job.attempts.set(index, running);
    } else {
      job.attempts.add(running);
    }
    if (finished) {
      running.phase = Phase.CLOSED;
      running.finished = true;
      return;
    }
    OptionalLong restored = from == null ? OptionalLong.empty() : OptionalLong.of(from.id);
    AttemptSpec<S> spec = new AttemptSpec<>(index, parallelism, attempt, restored, state);
    Invocation<?> invocation =
        job.invocation(running, spec, started -> running.subtask = job.tier.start(started));
    if (job.invoke(running, invocation, () -> started(running, invocation.error()))) {
      started(running, invocation.error());
    }
  }

  private void started(RunningAttempt<S> running, @Nullable Throwable error) {
    if (running.gate.severed()) {
      job.endings.buried(Operation.START, running, error);
    } else {
      job.observer.observed(Operation.START, running, error);
      if (error != null) {
        job.endings.bury(running, error);
      }
    }
  }

  int parallelism() {
    return parallelism;
  }

  /** Whether the job was ever taken back before a checkpoint that had been stored. */
  boolean rewound() {
    return rewound;
  }
}
