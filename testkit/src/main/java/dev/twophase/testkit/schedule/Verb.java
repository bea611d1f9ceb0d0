package dev.twophase.testkit.schedule;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a step does. */
public enum Verb {
  /** Delivers this many records: replayed ones first, then new ones. */
  IN(Subject.SUBTASK, Argument.COUNT),
  /** The barrier of a checkpoint passes: pre-barrier step and snapshot. */
  BAR(Subject.SUBTASK, Argument.CHECKPOINT),
  /** The checkpoint is stored: it is complete, and older pending ones are given up. */
  DONE(Subject.JOB, Argument.CHECKPOINT),
  /** The checkpoint is reported as failed, and may yet be the one restored. */
  DOUBT(Subject.JOB, Argument.CHECKPOINT),
  /** The checkpoint is given up. */
  ABT(Subject.JOB, Argument.CHECKPOINT),
  /** The notification arrives that a checkpoint is complete. Lost if there is no such step. */
  NTF(Subject.SUBTASK, Argument.CHECKPOINT),
  /** The notification arrives that a checkpoint was aborted. Lost if there is no such step. */
  NAB(Subject.SUBTASK, Argument.CHECKPOINT),
  /** The input ends. The final checkpoint follows as steps of its own. */
  EOI(Subject.SUBTASK, Argument.NONE),
  /** The process dies: no call of it happens any more, {@code close} neither. */
  KILL(Subject.SUBTASK, Argument.NONE),
  /** The task fails and is closed. */
  FAIL(Subject.SUBTASK, Argument.NONE),
  /** The job loses the attempt, which lives on as a zombie. */
  LOSE(Subject.SUBTASK, Argument.NONE),
  /** New attempts start from a checkpoint, a savepoint or without state. */
  UP(Subject.EITHER, Argument.RESTORE),
  /** A savepoint is taken that nobody is notified of. */
  SAV(Subject.JOB, Argument.NAME),
  /** The job stops with a savepoint. */
  STOP(Subject.JOB, Argument.STOP),
  /** Time passes, in milliseconds. */
  CLK(Subject.JOB, Argument.MILLIS),
  /**
   * The external system goes down, comes up, or forgets what has not been committed in time; or
   * another sink prepares something in the same place, to commit it while all settles.
   */
  EXT(Subject.JOB, Argument.EXTERNAL),
  /** Faults end, the job recovers, finishes its input and ends. */
  SETTLE(Subject.JOB, Argument.NONE);

  enum Subject {
    SUBTASK,
    JOB,
    EITHER
  }

  enum Argument {
    NONE,
    COUNT,
    CHECKPOINT,
    RESTORE,
    NAME,
    STOP,
    MILLIS,
    EXTERNAL
  }

  private final Subject subject;
  private final Argument argument;
  private final String word;

  Verb(Subject subject, Argument argument) {
    this.subject = subject;
    this.argument = argument;
    this.word = name().toLowerCase(Locale.ROOT);
  }

  Subject subject() {
    return subject;
  }

  Argument argument() {
    return argument;
  }

  /** The word that stands for it in a schedule. */
  public String word() {
    return word;
  }

  static Verb of(String text) {
    for (Verb verb : values()) {
      if (verb.word().equals(text)) {
        return verb;
      }
    }
    throw new ScheduleSyntaxException(
        "'"
            + text
            + "' is no verb: use one of "
            + Arrays.stream(values()).map(Verb::word).collect(Collectors.joining(", ")));
  }
}
