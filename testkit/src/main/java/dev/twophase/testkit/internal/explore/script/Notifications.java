package dev.twophase.testkit.internal.explore.script;

import dev.twophase.testkit.internal.job.RunningAttempt;
import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Delivers notifications, each to each task on its own: in time, never, twice, or late. */
final class Notifications {

  private enum Delivery {
    NOW,
    LOST,
    TWICE,
    AFTER_NEXT_BARRIER,
    AFTER_NEXT_NOTIFICATION
  }

  /** On its way. */
  private record Late(RunningAttempt<?> attempt, long checkpoint, Delivery when) {}

  private static final Delivery[] DELIVERIES = Delivery.values();

  /** That a checkpoint was given up is told at most once. */
  private static final int DELIVERIES_OF_ABORTION = 2;

  private final ScriptedRun run;
  private final List<Late> late = new ArrayList<>(2);

  Notifications(ScriptedRun run) {
    this.run = run;
  }

  /** Tells the attempts that took part in a checkpoint what became of it. */
  void send(Verb verb, long id) {
    for (RunningAttempt<?> attempt : List.copyOf(run.job.attempts())) {
      if (attempt.phase() == Phase.RUNNING && attempt.tookPartIn(id)) {
        sendTo(attempt, verb, id);
      }
    }
  }

  private void sendTo(RunningAttempt<?> attempt, Verb verb, long id) {
    int options = verb == Verb.NTF ? DELIVERIES.length : DELIVERIES_OF_ABORTION;
    Step step = run.steps.subtask(verb, attempt.index(), id);
    Delivery how =
        DELIVERIES[run.choices.choose(options, false, run.cells.event(verb.word()), step)];
    switch (how) {
      case NOW -> deliver(attempt, step);
      case LOST -> {
        // A notification is lost by not being in the schedule.
      }
      case TWICE -> {
        deliver(attempt, step);
        deliver(attempt, step);
      }
      case AFTER_NEXT_BARRIER, AFTER_NEXT_NOTIFICATION -> late.add(new Late(attempt, id, how));
    }
    if (verb == Verb.NTF) {
      deliverIf(
          each ->
              each.attempt == attempt
                  && each.when == Delivery.AFTER_NEXT_NOTIFICATION
                  && each.checkpoint < id);
    }
  }

  private void deliver(RunningAttempt<?> attempt, Step step) {
    if (attempt.phase() == Phase.RUNNING) {
      run.step(step);
    }
  }

  void barrierPassed(RunningAttempt<?> attempt) {
    if (!late.isEmpty()) {
      deliverIf(each -> each.attempt == attempt && each.when == Delivery.AFTER_NEXT_BARRIER);
    }
  }

  /** The script is over: whatever is late arrives now. */
  void deliverAll() {
    deliverIf(each -> true);
  }

  private void deliverIf(Predicate<Late> due) {
    for (int i = 0; i < late.size(); i++) {
      Late each = late.get(i);
      if (due.test(each)) {
        late.remove(i--);
        deliver(each.attempt, run.steps.subtask(Verb.NTF, each.attempt.index(), each.checkpoint));
      }
    }
  }
}
