package dev.twophase.testkit.internal.explore;

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
  private boolean zombieActed;

  Failover(ScriptedRun run) {
    this.run = run;
    this.job = run.job;
    this.rescaled = !run.script.rescales();
  }

  /** Returns whether attempts from before live on. */
  boolean recover() {
    boolean survivors = true;
    for (int tries = 0; tries < MOST_TRIES && job.isDown(); tries++) {
      survivors &= recoverOnce();
    }
    if (!job.isDown()) {
      thawZombie();
    }
    return survivors;
  }

  private boolean recoverOnce() {
    Checkpoint<?> from = restoredFrom();
    int parallelism = job.attempts().size();
    Step up = run.steps.job(Verb.UP, from == null ? 0 : from.id());
    boolean regions =
        run.script.source() == Source.FORWARD
            && (from == null || from.parallelism() == parallelism);
    if (!rescaled) {
      int chosen = run.choices.choose(3, true, run.cells.event("rescale"), up);
      if (chosen != 0) {
        rescaled = true;
        regions = false;
        int other = parallelism == 1 ? FROM_ONE_TO : 1;
        up = up.rescaledTo(chosen == 1 ? other : parallelism * 2);
      }
    }
    if (!regions) {
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

  /** What a lost attempt does once the job has gone on without it. */
  private void thawZombie() {
    if (zombieActed || job.zombies().isEmpty()) {
      return;
    }
    zombieActed = true;
    RunningAttempt<?> zombie = job.zombies().get(0);
    Checkpoint<?> stored = job.checkpoints().latestStored();
    Step input = run.steps.subtask(Verb.IN, zombie.index(), 1).at(zombie.attempt());
    int options = stored == null ? 4 : 5;
    switch (run.choices.choose(options, true, run.cells.event("zombie"), input)) {
      case 1 -> run.execute(input);
      case 2 -> {
        run.execute(input);
        run.execute(of(zombie, Verb.BAR, job.checkpoints().nextId()));
      }
      case 3 -> run.execute(of(zombie, Verb.FAIL, 0));
      case 4 -> run.execute(of(zombie, Verb.NTF, stored == null ? 0 : stored.id()));
      default -> {
        // It stays silent until settling ends it.
      }
    }
  }

  private Step of(RunningAttempt<?> zombie, Verb verb, long number) {
    return run.steps.subtask(verb, zombie.index(), number).at(zombie.attempt());
  }
}
