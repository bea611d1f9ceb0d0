package dev.twophase.testkit.schedule;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A sequence of steps and faults, and its one-line form, for instance
 *
 * <pre>{@code
 * 2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=A; s0.kill; s0.up 1; settle
 * }</pre>
 *
 * @param parallelism number of subtasks at the start
 * @param source how records reach them
 * @param steps what happens, in order
 */
public record Schedule(int parallelism, Source source, List<Step> steps) {

  static final String VERSION = "2pk/1";

  public Schedule {
    steps = List.copyOf(steps);
    if (parallelism < 1) {
      throw new ScheduleSyntaxException("Parallelism must be at least 1: p=" + parallelism);
    }
    for (Step step : steps) {
      if (step.verb() == Verb.UP && step.subtask() >= 0 && source != Source.FORWARD) {
        throw new ScheduleSyntaxException(
            "'"
                + step
                + "' restarts one subtask, which only src=fwd allows: otherwise all subtasks fail"
                + " over together, write 'up'");
      }
    }
  }

  /**
   * Reads the one-line form.
   *
   * @throws ScheduleSyntaxException if it is not one, quoting the step at fault
   */
  public static Schedule parse(String line) {
    return new ScheduleParser(line).parse();
  }

  /** The same schedule with other steps. */
  public Schedule with(List<Step> otherSteps) {
    return new Schedule(parallelism, source, otherSteps);
  }

  /** The one-line form, read back by {@link #parse}. */
  @Override
  public String toString() {
    String head =
        VERSION + " p=" + parallelism + (source == Source.KEYED ? "" : " src=" + source.word());
    return steps.isEmpty()
        ? head
        : steps.stream().map(Step::toString).collect(Collectors.joining("; ", head + "; ", ""));
  }
}
