package dev.twophase.testkit.internal.explore.script;

import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.EnumMap;

/** Steps are immutable, and the same few come again and again: each is made once. */
final class Steps {

  private static final int SUBTASKS = 8;
  private static final int NUMBERS = 16;

  private final EnumMap<Verb, Step[]> known = new EnumMap<>(Verb.class);

  Step job(Verb verb, long number) {
    return step(verb, Step.JOB, number);
  }

  Step subtask(Verb verb, int subtask, long number) {
    return step(verb, subtask, number);
  }

  private Step step(Verb verb, int subtask, long number) {
    int row = subtask == Step.JOB ? SUBTASKS : subtask;
    if (row > SUBTASKS || number >= NUMBERS) {
      return Step.of(verb, subtask, number);
    }
    Step[] ofVerb = known.get(verb);
    if (ofVerb == null) {
      ofVerb = new Step[(SUBTASKS + 1) * NUMBERS];
      known.put(verb, ofVerb);
    }
    int index = row * NUMBERS + (int) number;
    Step step = ofVerb[index];
    if (step == null) {
      step = Step.of(verb, subtask, number);
      ofVerb[index] = step;
    }
    return step;
  }
}
