package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.internal.job.JobObserver.Operation;
import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import dev.twophase.testkit.internal.tier.Tier.Ending;
import dev.twophase.testkit.schedule.Step;

/**
 * Savepoints. An ordinary one passes all subtasks as a checkpoint does, and that is all: nobody is
 * told of it. The one with which a job stops is told of, and then the subtasks end; it is where an
 * operator lets the job go on.
 */
final class Savepoints<S> {

  private static final String DRAIN = ",drain";

  private final Job<S> job;

  Savepoints(Job<S> job) {
    this.job = job;
  }

  boolean take(Step step) {
    long id = job.checkpoints.nextId();
    if (job.isDown()) {
      return false;
    }
    job.tier.saving(id, null);
    if (!barriers(id) || !job.checkpoints.save(id, step.word(), false)) {
      return false;
    }
    job.tier.saved(id);
    return true;
  }

  boolean stop(Step step) {
    boolean drains = step.word().endsWith(DRAIN);
    String name =
        drains ? step.word().substring(0, step.word().length() - DRAIN.length()) : step.word();
    if (job.isDown()) {
      return false;
    }
    for (RunningAttempt<S> attempt : job.attempts) {
      if (drains && attempt.phase == Phase.RUNNING) {
        job.endOfInput(attempt);
      }
    }
    long id = job.checkpoints.nextId();
    if (job.isDown()) {
      return false;
    }
    job.tier.saving(id, drains ? Ending.DRAINED : Ending.SUSPENDED);
    if (!barriers(id) || !job.checkpoints.save(id, name, true)) {
      return false;
    }
    job.tier.saved(id);
    Checkpoint<S> saved = job.checkpoints.savepoint(name);
    if (saved != null) {
      job.input.stored(saved.coverage());
      job.input.held(saved.spans());
    }
    end(id);
    return true;
  }

  private boolean barriers(long id) {
    for (RunningAttempt<S> attempt : job.attempts) {
      job.barrier(attempt, id);
    }
    if (job.isDown()) {
      job.giveUp(id);
      return false;
    }
    return true;
  }

  /** All are told, and close; if one of them fails at that, the job as a whole has not ended. */
  private void end(long id) {
    boolean failed = false;
    for (RunningAttempt<S> attempt : job.attempts) {
      if (attempt.phase != Phase.RUNNING) {
        continue;
      }
      if (job.ask(Operation.NOTIFY_COMPLETE, attempt, subtask -> subtask.notifyComplete(id))) {
        job.endings.close(attempt);
        attempt.finished = true;
      } else {
        failed = true;
      }
    }
    for (RunningAttempt<S> attempt : job.attempts) {
      attempt.finished &= !failed;
    }
  }
}
