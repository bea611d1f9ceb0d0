package dev.twophase.testkit.internal.explore.script;

import dev.twophase.testkit.internal.job.Checkpoint;
import dev.twophase.testkit.internal.job.Job;
import dev.twophase.testkit.internal.job.RunningAttempt;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;

/**
 * What a lost attempt does once the job has gone on without it: right after the recovery, or when
 * its successor waits for the word to commit. That costs nothing, because to be lost did.
 */
final class Zombies {

  private final ScriptedRun run;
  private final Job<?> job;
  private boolean acted;

  Zombies(ScriptedRun run) {
    this.run = run;
    this.job = run.job;
  }

  /** While the successor waits: only if the sink's author allows it. */
  void actLate() {
    if (run.lateZombies) {
      act();
    }
  }

  void act() {
    if (acted || job.zombies().isEmpty()) {
      return;
    }
    RunningAttempt<?> zombie = job.zombies().get(0);
    Checkpoint<?> stored = job.checkpoints().latestStored();
    Step input = run.steps.subtask(Verb.IN, zombie.index(), 1).at(zombie.attempt());
    // A frozen one goes on where it was: that is enough.
    boolean knows = stored != null && zombie.tookPartIn(stored.id());
    int options = zombie.isFrozen() ? 2 : knows ? 5 : 4;
    int chosen = run.choices.choose(options, true, run.cells.event("zombie"), input);
    acted = chosen != 0;
    switch (chosen) {
      case 1 -> run.execute(input);
      case 2 -> {
        run.execute(input);
        run.execute(of(zombie, Verb.BAR, job.checkpoints().nextId()));
      }
      case 3 -> run.execute(of(zombie, Verb.FAIL, 0));
      case 4 -> run.execute(of(zombie, Verb.NTF, stored == null ? 0 : stored.id()));
      default -> {
        // It stays silent, for now or until settling ends it.
      }
    }
  }

  private Step of(RunningAttempt<?> zombie, Verb verb, long number) {
    return run.steps.subtask(verb, zombie.index(), number).at(zombie.attempt());
  }
}
