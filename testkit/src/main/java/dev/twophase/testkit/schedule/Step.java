package dev.twophase.testkit.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * One step of a schedule. Immutable.
 *
 * @param verb what happens
 * @param subtask to whom: an index, {@link #ALL} or {@link #JOB}
 * @param attempt to which attempt of it; {@link #LATEST} unless a zombie is meant
 * @param number record count, checkpoint id or milliseconds; 0 if there is none
 * @param word name of a savepoint, {@code drain}, or what the external system does; empty if none
 * @param parallelism new parallelism of {@link Verb#UP}; {@link #SAME} if unchanged
 * @param faults what goes wrong in calls during this step
 */
public record Step(
    Verb verb,
    int subtask,
    int attempt,
    long number,
    String word,
    int parallelism,
    List<Fault> faults) {

  /** Every subtask, in order of index. */
  public static final int ALL = -1;

  /** The job as a whole. */
  public static final int JOB = -2;

  /** The attempt that the job knows. */
  public static final int LATEST = -1;

  /** Unchanged, or the one named before. */
  public static final int SAME = -1;

  public Step {
    faults = List.copyOf(faults);
    if (verb.subject() == Verb.Subject.JOB && subtask != JOB) {
      throw new ScheduleSyntaxException("'" + verb.word() + "' takes no subtask");
    }
    if (verb.subject() == Verb.Subject.SUBTASK && subtask == JOB) {
      throw new ScheduleSyntaxException(
          "'" + verb.word() + "' needs a subtask, such as s0." + verb.word());
    }
    if (attempt != LATEST && subtask < 0) {
      throw new ScheduleSyntaxException("'@" + attempt + "' needs one subtask, such as s0@0");
    }
    for (Fault fault : faults) {
      if (fault.subtask() == SAME && subtask < 0) {
        throw new ScheduleSyntaxException(
            "Fault '" + fault + "' must say whose call it means, such as s0:" + fault);
      }
    }
  }

  /** A step of one subtask, or of {@link #ALL}. */
  public static Step of(Verb verb, int subtask, long number) {
    return new Step(verb, subtask, LATEST, number, "", SAME, List.of());
  }

  /** A step of the job. */
  public static Step of(Verb verb, long number) {
    return of(verb, JOB, number);
  }

  /** The same step, addressed to this attempt. */
  public Step at(int otherAttempt) {
    return new Step(verb, subtask, otherAttempt, number, word, parallelism, faults);
  }

  /** The same step with other faults. */
  public Step with(List<Fault> otherFaults) {
    return new Step(verb, subtask, attempt, number, word, parallelism, otherFaults);
  }

  /** The same step with a name, such as that of a savepoint. */
  public Step named(String name) {
    return new Step(verb, subtask, attempt, number, name, parallelism, faults);
  }

  /** The same step, leading to another parallelism. */
  public Step rescaledTo(int otherParallelism) {
    return new Step(verb, subtask, attempt, number, word, otherParallelism, faults);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (subtask != JOB) {
      text.append(subtask == ALL ? "s*" : "s" + subtask);
      text.append(attempt == LATEST ? "" : "@" + attempt).append('.');
    }
    text.append(verb.word());
    List<String> arguments = new ArrayList<>();
    switch (verb.argument()) {
      case NONE -> {}
      case COUNT, CHECKPOINT, MILLIS -> arguments.add(Long.toString(number));
      case RESTORE ->
          arguments.add(!word.isEmpty() ? word : number == 0 ? "none" : Long.toString(number));
      case NAME, EXTERNAL -> arguments.add(word);
      case STOP -> arguments.addAll(List.of(word.split(",")));
    }
    if (parallelism != SAME) {
      arguments.add("p=" + parallelism);
    }
    if (!arguments.isEmpty()) {
      text.append(' ').append(String.join(",", arguments));
    }
    faults.forEach(fault -> text.append(" !").append(fault));
    return text.toString();
  }
}
