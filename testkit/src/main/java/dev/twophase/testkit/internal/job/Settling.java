package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.List;

/**
 * The end of every schedule: zombies end, the job recovers, replays what it owes, passes one more
 * ordinary checkpoint, ends its input and passes the final one. A job that fails in the course of
 * it is recovered again, up to five times.
 */
final class Settling<S> {

  private static final int MOST_RECOVERIES = 5;

  private final Job<S> job;
  private boolean succeeded;

  Settling(Job<S> job) {
    this.job = job;
  }

  boolean succeeded() {
    return succeeded;
  }

  boolean settle() {
    for (RunningAttempt<S> zombie : List.copyOf(job.zombies)) {
      job.endings.end(zombie);
    }
    int failures = 0;
    boolean done = false;
    while (!done && failures <= MOST_RECOVERIES) {
      if (job.isDown()) {
        recover();
      }
      done = !job.isDown() && finish();
      failures += done ? 0 : 1;
    }
    succeeded = done;
    return true;
  }

  private void recover() {
    Checkpoint<S> latest = job.checkpoints.latestStored();
    job.execute(Step.of(Verb.UP, latest == null ? 0 : latest.id));
  }

  private boolean finish() {
    return deliverReplays() && checkpoint() && endInput() && checkpoint() && allFinished();
  }

  private boolean deliverReplays() {
    for (RunningAttempt<S> attempt : job.attempts) {
      while (attempt.phase == Phase.RUNNING && job.input.hasReplay(attempt.index())) {
        job.deliver(attempt, 1);
      }
    }
    return !job.isDown();
  }

  private boolean checkpoint() {
    if (allFinished()) {
      return true;
    }
    long id = job.checkpoints.nextId();
    for (RunningAttempt<S> attempt : job.attempts) {
      if (attempt.phase == Phase.RUNNING || attempt.finished) {
        job.barrier(attempt, id);
      }
    }
    if (job.isDown() || !job.done(id)) {
      return false;
    }
    for (RunningAttempt<S> attempt : job.attempts) {
      if (attempt.phase == Phase.RUNNING) {
        job.notifyComplete(attempt, id);
      }
    }
    return !job.isDown();
  }

  private boolean endInput() {
    for (RunningAttempt<S> attempt : job.attempts) {
      if (attempt.phase == Phase.RUNNING) {
        job.endOfInput(attempt);
      }
    }
    return !job.isDown();
  }

  private boolean allFinished() {
    for (RunningAttempt<S> attempt : job.attempts) {
      if (!attempt.finished) {
        return false;
      }
    }
    return true;
  }
}
