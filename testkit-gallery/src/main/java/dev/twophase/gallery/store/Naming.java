package dev.twophase.gallery.store;

import java.util.Optional;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.TaskInfo;

/**
 * Ids for the transactions of one attempt, never used by another (W6): {@code
 * job.subtask.attempt.number}. Flink makes a new job id for each submission and a new attempt
 * number for each restart.
 */
public record Naming(String job, int subtask, int attempt) {

  /** Ids for the attempt that is told so by Flink. */
  public static Naming of(JobID job, TaskInfo task) {
    return new Naming(job.toHexString(), task.getIndexOfThisSubtask(), task.getAttemptNumber());
  }

  /** The id of the attempt's transaction of this number. */
  public String id(int number) {
    return job + "." + subtask + "." + attempt + "." + number;
  }

  /** Who made an id; empty if it is none. */
  public static Optional<Naming> parse(String id) {
    String[] parts = id.split("\\.", -1);
    return parts.length == 4
        ? Optional.of(new Naming(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2])))
        : Optional.empty();
  }

  /** Whether an id is of an earlier attempt whose work this one inherits, at this parallelism. */
  public boolean inherits(String id, int parallelism) {
    return parse(id)
        .filter(other -> !other.equals(this) && other.subtask % parallelism == subtask)
        .isPresent();
  }
}
