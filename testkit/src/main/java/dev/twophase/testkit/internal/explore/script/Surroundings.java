package dev.twophase.testkit.internal.explore.script;

import dev.twophase.testkit.internal.explore.script.Script.Freedom;
import dev.twophase.testkit.internal.job.Checkpoint;
import dev.twophase.testkit.internal.job.Job;
import dev.twophase.testkit.internal.run.Run;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What operators, the external system and time do to a run: savepoints on the way, a job that is
 * taken back, a system that is down for a step or forgets, another sink beside it, a clock that
 * goes on.
 */
final class Surroundings {

  private static final Step DOWN = Step.of(Verb.EXT, Step.JOB, 0).named("down");
  private static final Step UP = Step.of(Verb.EXT, Step.JOB, 0).named("up");
  private static final Step EXPIRE = Step.of(Verb.EXT, Step.JOB, 0).named("expire");

  private static final Step NEIGHBOUR = Step.of(Verb.EXT, Step.JOB, 0).named(Run.NEIGHBOUR);

  /** Later than whatever a sink does every few seconds or minutes. */
  private static final Step AN_HOUR = Step.of(Verb.CLK, Step.JOB, Duration.ofHours(1).toMillis());

  private final ScriptedRun run;
  private final Job<?> job;
  private final boolean outages;
  private final boolean expires;
  private final boolean clock;
  private final List<String> savepoints = new ArrayList<>(0);
  private boolean takenBack;
  private boolean alone;

  Surroundings(ScriptedRun run) {
    this.run = run;
    this.job = run.job;
    this.outages = run.script.may(Freedom.OUTAGE);
    this.expires = run.script.may(Freedom.EXPIRY);
    this.clock = run.script.may(Freedom.CLOCK);
    this.takenBack = !run.script.may(Freedom.REWIND);
    this.alone = run.script.may(Freedom.NEIGHBOUR);
  }

  /** Perhaps takes a savepoint; returns whether the job is up afterwards. */
  boolean maySave() {
    String name = "b" + (savepoints.size() + 1);
    Step save = Step.of(Verb.SAV, Step.JOB, 0).named(name);
    if (run.choices.choose(2, false, run.cells.event("savepoint"), save) == 0) {
      return true;
    }
    savepoints.add(name);
    return run.step(save);
  }

  /** Perhaps time passes, with whatever timers it fires; returns whether the job is up then. */
  boolean mayPassTime() {
    return !clock
        || run.choices.choose(2, false, run.cells.event("clock"), AN_HOUR) == 0
        || run.step(AN_HOUR);
  }

  /** Perhaps the system forgets what is not committed, before a step. */
  void mayExpire(Step next) {
    if (expires && run.choices.choose(2, false, run.cells.event("expiry"), next) != 0) {
      run.execute(EXPIRE);
    }
  }

  /** Perhaps the system is down while a step is executed; returns whether it is. */
  boolean mayGoDown(Step next) {
    if (!outages || run.choices.choose(2, false, run.cells.event("outage"), next) == 0) {
      return false;
    }
    run.execute(DOWN);
    return true;
  }

  /** It is up again. */
  void comeBack() {
    run.execute(UP);
    if (run.run().forgiveUnnoticedOutage()) {
      run.nothingHappened();
    }
  }

  /**
   * Perhaps another sink moves in, once in a run and free: where an attempt was killed and is to
   * recover from a checkpoint, because recoveries are where a sink looks for what others have left.
   * Of the first subtask only, which the others are like.
   */
  void mayGetNeighbour(Step after) {
    if (alone
        && after.subtask() == 0
        && job.checkpoints().latestStored() != null
        && run.choices.choose(2, true, run.cells.event(Run.NEIGHBOUR), after) != 0) {
      alone = false;
      run.execute(NEIGHBOUR);
    }
  }

  /**
   * From where the job starts again: perhaps from further back than it would by itself. That is
   * free, once in a run, as another parallelism is.
   *
   * @param usual from where it would
   */
  Step from(Step usual) {
    if (takenBack) {
      return usual;
    }
    List<Step> ways = new ArrayList<>(3);
    if (usual.number() != 0) {
      ways.add(run.steps.job(Verb.UP, 0));
    }
    Checkpoint<?> older = job.checkpoints().latestStoredBefore(usual.number());
    if (older != null) {
      ways.add(run.steps.job(Verb.UP, older.id()));
    }
    if (!savepoints.isEmpty()) {
      String latest = savepoints.get(savepoints.size() - 1);
      if (job.checkpoints().savepoint(latest) != null) {
        ways.add(run.steps.job(Verb.UP, 0).named(latest));
      }
    }
    if (ways.isEmpty()) {
      return usual;
    }
    int chosen = run.choices.choose(1 + ways.size(), true, run.cells.event("taken back"), usual);
    takenBack = chosen != 0;
    return chosen == 0 ? usual : ways.get(chosen - 1);
  }
}
