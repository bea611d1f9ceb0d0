package dev.twophase.testkit.internal.trace;

import java.util.List;

/**
 * One run.
 *
 * @param parallelism number of subtasks at the start
 * @param steps in order
 * @param events in order
 */
public record Trace(int parallelism, List<TracedStep> steps, List<Event> events) {

  public Trace {
    steps = List.copyOf(steps);
    events = List.copyOf(events);
  }

  /**
   * A step of the schedule.
   *
   * @param text as in the schedule, without faults
   * @param faults as in the schedule, without the exclamation mark
   * @param executed false if it had no effect in the situation it met
   */
  public record TracedStep(String text, List<String> faults, boolean executed) {
    public TracedStep {
      faults = List.copyOf(faults);
    }
  }
}
