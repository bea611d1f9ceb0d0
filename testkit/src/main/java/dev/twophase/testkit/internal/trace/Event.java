package dev.twophase.testkit.internal.trace;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened.
 *
 * @param step index of the step within which it happened, from 0
 * @param kind what it is
 * @param subtask whom it concerns; {@link #JOB} if the job as a whole
 * @param attempt the attempt of that subtask
 * @param text in words, or what was called
 * @param fault letter of the fault injected into a call; null if none was
 * @param records ids of the records concerned
 * @param arguments with what a call was made, as far as it has a name; empty otherwise
 */
public record Event(
    int step,
    Kind kind,
    int subtask,
    int attempt,
    String text,
    @Nullable String fault,
    List<Long> records,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String arguments) {

  /** Neither a subtask nor an attempt. */
  public static final int JOB = -1;

  /** What can happen. */
  public enum Kind {
    /** The state of a checkpoint changed. */
    CHECKPOINT,
    START,
    INPUT,
    BARRIER,
    NOTIFIED,
    END_OF_INPUT,
    CLOCK,
    /** A decorated call of the sink or its client. */
    CALL,
    /** The attempt was closed in order. */
    CLOSED,
    /** The attempt failed, or its process was killed. */
    DIED,
    /** The attempt was lost, and lives on as a zombie. */
    LOST,
    /** What a reader sees has changed. */
    VISIBLE,
    /** What the sink has left behind was counted, and is not what it was. */
    LEFT_BEHIND,
    ANOMALY
  }

  public Event {
    records = List.copyOf(records);
  }

  /** Something that is no call, or a call of which it is not known with what it was made. */
  public Event(
      int step,
      Kind kind,
      int subtask,
      int attempt,
      String text,
      @Nullable String fault,
      List<Long> records) {
    this(step, kind, subtask, attempt, text, fault, records, "");
  }
}
