package dev.twophase.testkit.internal.explore.script;

import dev.twophase.testkit.internal.job.Checkpoint;
import dev.twophase.testkit.internal.job.Job;
import dev.twophase.testkit.internal.job.RunningAttempt;
import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import dev.twophase.testkit.schedule.Source;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import org.jspecify.annotations.Nullable;

/**
 * Brings a job up again. The restart itself is free, and so is one change of parallelism in a run;
 * what fails in the course of it is recovered again.
 */
final class Failover {

  /** More than faults can cause; a sink that never starts is left to settling. */
  private static final int MOST_TRIES = 4;

  private static final int FROM_ONE_TO = 3;

  private final ScriptedRun run;
  private final Job<?> job;
  private boolean rescaled;

  Failover(ScriptedRun run) {
    this.run = run;
    this.job = run.job;
    this.rescaled = !run.script.may(Script.Freedom.RESCALE);
  }

  /** Returns whether attempts from before live on. */
  boolean recover() {
    boolean survivors = true;
    for (int tries = 0; tries < MOST_TRIES && job.isDown(); tries++) {
      survivors &= recoverOnce();
    }
    if (!job.isDown()) {
      run.zombies.act();
    }
    return survivors;
  }

  /** Starts an ended job from a savepoint, at the same parallelism or another. */
  void resume(String savepoint) {
    Step up = rescaled(run.steps.job(Verb.UP, 0).named(savepoint), job.attempts().size());
    if (!run.execute(up)) {
      recover();
    }
  }

  private boolean recoverOnce() {
    Checkpoint<?> from = restoredFrom();
    int parallelism = job.attempts().size();
    Step usual = run.steps.job(Verb.UP, from == null ? 0 : from.id());
    Step up = run.external.from(usual);
    boolean regions =
        up.equals(usual)
            && run.script.source() == Source.FORWARD
            && (from == null || from.parallelism() == parallelism);
    up = rescaled(up, parallelism);
    if (!regions || up.parallelism() != Step.SAME) {
      run.execute(up);
      return false;
    }
    for (int i = 0; i < parallelism; i++) {
      RunningAttempt<?> attempt = job.attempts().get(i);
      if (attempt.phase() != Phase.RUNNING && !attempt.finished()) {
        run.execute(run.steps.subtask(Verb.UP, i, from == null ? 0 : from.id()));
      }
    }
    return true;
  }

  private Step rescaled(Step up, int parallelism) {
    if (rescaled) {
      return up;
    }
    int chosen = run.choices.choose(3, true, run.cells.event("rescale"), up);
    if (chosen == 0) {
      return up;
    }
    rescaled = true;
    int other = parallelism == 1 ? FROM_ONE_TO : 1;
    return up.rescaledTo(chosen == 1 ? other : parallelism * 2);
  }

  private @Nullable Checkpoint<?> restoredFrom() {
    Checkpoint<?> doubtful = job.checkpoints().latestDoubtful();
    if (doubtful != null) {
      Step up = run.steps.job(Verb.UP, doubtful.id());
      if (run.choices.choose(2, true, run.cells.event("restore doubtful"), up) == 1) {
        return doubtful;
      }
    }
    return job.checkpoints().latestStored();
  }
}
