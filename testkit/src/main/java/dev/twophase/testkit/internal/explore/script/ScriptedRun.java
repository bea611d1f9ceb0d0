package dev.twophase.testkit.internal.explore.script;

import dev.twophase.testkit.internal.explore.choice.Cell;
import dev.twophase.testkit.internal.explore.choice.Cells;
import dev.twophase.testkit.internal.explore.choice.Choices;
import dev.twophase.testkit.internal.explore.choice.ChosenFaults;
import dev.twophase.testkit.internal.explore.script.Script.Course;
import dev.twophase.testkit.internal.explore.script.Script.Freedom;
import dev.twophase.testkit.internal.job.Job;
import dev.twophase.testkit.internal.job.RunningAttempt;
import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import dev.twophase.testkit.internal.run.Run;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.List;

/**
 * Leads one run through a script, and asks at each turn whether something goes wrong: an attempt
 * dies or is lost before a step; a checkpoint is given up, doubtful, late, or overtaken by the
 * next.
 */
final class ScriptedRun {

  private enum Completion {
    NOW,
    GIVEN_UP,
    DOUBTFUL,
    LATE,
    OVERTAKEN
  }

  private static final Completion[] COMPLETIONS = Completion.values();
  private static final Verb[] ENDS = {Verb.KILL, Verb.FAIL};

  private static final String SAVEPOINT = "a1";
  private static final Step STOP = Step.of(Verb.STOP, 0).named(SAVEPOINT);

  /** Of {@link #COMPLETIONS}, those that need no further checkpoint. */
  private static final int FINAL_COMPLETIONS = 3;

  final Script script;
  final boolean lateZombies;
  private final boolean mayLose;
  final Job<?> job;
  final Choices choices;
  final Steps steps;
  final Cells cells;
  private final Run run;
  private final ChosenFaults faults;
  private final Notifications notifications;
  private final Failover failover;
  final Surroundings external;
  final Zombies zombies;
  private long waiting;
  private boolean overtaken;

  ScriptedRun(
      Script script,
      boolean lateZombies,
      Run run,
      ChosenFaults faults,
      Choices choices,
      Steps steps,
      Cells cells) {
    this.script = script;
    this.lateZombies = lateZombies;
    this.mayLose = script.may(Freedom.ZOMBIES);
    this.run = run;
    this.job = run.job();
    this.faults = faults;
    this.choices = choices;
    this.steps = steps;
    this.cells = cells;
    this.notifications = new Notifications(this);
    this.zombies = new Zombies(this);
    this.external = new Surroundings(this);
    this.failover = new Failover(this);
  }

  void go() {
    if (!execute(steps.job(Verb.UP, 0))) {
      recover();
    }
    for (int k = 1; k <= script.checkpoints(); k++) {
      checkpoint(k == script.checkpoints());
    }
    notifications.deliverAll();
    execute(steps.job(Verb.SETTLE, 0));
  }

  private void checkpoint(boolean last) {
    if (!input(last) || (last && script.course() == Course.BOUNDED && !onEach(Verb.EOI, 0))) {
      return;
    }
    if (last && script.stops()) {
      stop();
      return;
    }
    if (script.may(Freedom.SAVEPOINTS) && !external.maySave()) {
      return;
    }
    if (!external.mayPassTime()) {
      return;
    }
    long id = job.checkpoints().nextId();
    if (onEach(Verb.BAR, id) && external.mayPassTime()) {
      complete(id, last);
    }
  }

  /** The job stops and goes on from its savepoint, perhaps at another parallelism. */
  private void stop() {
    if (step(STOP) && job.hasEnded()) {
      failover.resume(SAVEPOINT);
      input(false);
    }
  }

  private boolean input(boolean last) {
    int parallelism = job.attempts().size();
    for (int i = 0; i < parallelism; i++) {
      boolean idle = last && script.course() == Course.IDLE && i == parallelism - 1;
      if (!idle && !step(steps.subtask(Verb.IN, i, Script.INPUT_PER_SUBTASK))) {
        return false;
      }
    }
    return true;
  }

  private boolean onEach(Verb verb, long number) {
    int parallelism = job.attempts().size();
    for (int i = 0; i < parallelism; i++) {
      if (!step(steps.subtask(verb, i, number))) {
        return false;
      }
      if (verb == Verb.BAR) {
        notifications.barrierPassed(job.attempts().get(i));
        if (!job.checkpoints().isPending(number)) {
          return false;
        }
      }
    }
    return true;
  }

  private void complete(long id, boolean last) {
    if (!job.checkpoints().isPending(id)) {
      return;
    }
    int options = last || waiting != 0 ? FINAL_COMPLETIONS : COMPLETIONS.length;
    Step done = steps.job(Verb.DONE, id);
    switch (COMPLETIONS[choices.choose(options, false, cells.event("completion"), done)]) {
      case NOW -> completeWithWaiting(id);
      case GIVEN_UP -> giveUp(Verb.ABT, id);
      case DOUBTFUL -> giveUp(Verb.DOUBT, id);
      case LATE -> {
        waiting = id;
        overtaken = false;
      }
      case OVERTAKEN -> {
        waiting = id;
        overtaken = true;
      }
    }
  }

  private void completeWithWaiting(long id) {
    long older = waiting;
    waiting = 0;
    if (older != 0 && !overtaken) {
      done(older);
    }
    if (job.checkpoints().isPending(id) && step(steps.job(Verb.DONE, id))) {
      zombies.actLate();
      if (older != 0 && overtaken) {
        notifications.send(Verb.NAB, older);
      }
      notifications.send(Verb.NTF, id);
    }
  }

  private void done(long id) {
    if (step(steps.job(Verb.DONE, id))) {
      zombies.actLate();
      notifications.send(Verb.NTF, id);
    }
  }

  private void giveUp(Verb how, long id) {
    if (step(steps.job(how, id))) {
      notifications.send(Verb.NAB, id);
    }
  }

  /** Before the step an attempt may end; false if the script cannot go on as if nothing was. */
  boolean step(Step next) {
    int running = 0;
    for (RunningAttempt<?> attempt : job.attempts()) {
      running += attempt.phase() == Phase.RUNNING ? 1 : 0;
    }
    int ends = running * ENDS.length;
    int options = 1 + ends + (mayLose ? running : 0);
    Cell cell = cells.event(Cell.endOfOneOf(running));
    int chosen = choices.choose(options, false, cell, next) - 1;
    if (chosen >= ends) {
      endAttempt(chosen - ends, Verb.LOSE);
      return false;
    }
    if (chosen >= 0) {
      endAttempt(chosen / ENDS.length, ENDS[chosen % ENDS.length]);
      return false;
    }
    external.mayExpire(next);
    boolean outage = external.mayGoDown(next);
    boolean up = execute(next);
    if (outage) {
      external.comeBack();
    }
    if (up) {
      return true;
    }
    recover();
    return false;
  }

  private void endAttempt(int nthRunning, Verb how) {
    int left = nthRunning;
    for (RunningAttempt<?> attempt : List.copyOf(job.attempts())) {
      if (attempt.phase() == Phase.RUNNING && left-- == 0) {
        Step end = steps.subtask(how, attempt.index(), 0);
        execute(end);
        if (how == Verb.KILL) {
          external.mayGetNeighbour(end);
        }
        break;
      }
    }
    recover();
  }

  /** What the schedule was to bring about did not come about. */
  void nothingHappened() {
    faults.nothingHappened();
  }

  Run run() {
    return run;
  }

  /** Executes a step; returns whether all subtasks are up afterwards. */
  boolean execute(Step next) {
    if (faults.enter(next)) {
      run.expectFreeze();
    }
    run.execute(next);
    faults.leave();
    return !job.isDown();
  }

  private void recover() {
    long pending = job.checkpoints().nextId() - 1;
    boolean wasPending = job.checkpoints().isPending(pending);
    waiting = 0;
    boolean survivors = failover.recover();
    if (survivors && wasPending) {
      notifications.send(Verb.NAB, pending);
    }
  }
}
