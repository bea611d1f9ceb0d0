package dev.twophase.testkit.internal.explore.script;

import dev.twophase.testkit.schedule.Source;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a run does when nothing goes wrong: for each checkpoint input, barriers, completion and
 * notifications, and then an end.
 *
 * @param parallelism at the start
 * @param source how records reach the sink
 * @param checkpoints number of them, settling not counted
 * @param course what is special about the last of these checkpoints
 * @param freedoms what may happen besides faults of calls, checkpoints and notifications, and ends
 *     of attempts; nobody changes the set
 */
public record Script(
    int parallelism, Source source, int checkpoints, Course course, Set<Freedom> freedoms) {

  /** What the last checkpoint of a script is. */
  public enum Course {
    /** One like the others. */
    PLAIN(""),
    /** The final one of a bounded job. */
    BOUNDED(", bounded"),
    /** One before which the last subtask gets no input. */
    IDLE(", one subtask idle"),
    /** A savepoint with which the job stops, and from which it goes on. */
    STOPPED(", stopped with a savepoint");

    private final String words;

    Course(String words) {
      this.words = words;
    }
  }

  /** Something that may happen. */
  public enum Freedom {
    /** Recoveries may change the parallelism. */
    RESCALE,
    /** Attempts may be lost and live on. */
    ZOMBIES,
    /** Savepoints are taken on the way. */
    SAVEPOINTS,
    /** The job may be taken back to an older checkpoint, a savepoint, or the beginning. */
    REWIND,
    /** The external system may be down for a step. */
    OUTAGE,
    /** It may forget what is not committed. */
    EXPIRY,
    /** A sink of another name may use the same place. */
    NEIGHBOUR,
    /** Much processing time may pass between two steps. */
    CLOCK
  }

  /** Records for each subtask and checkpoint. */
  static final int INPUT_PER_SUBTASK = 2;

  /** A plain script, in which this may happen. */
  public Script(int parallelism, Source source, int checkpoints, Set<Freedom> freedoms) {
    this(parallelism, source, checkpoints, Course.PLAIN, freedoms);
  }

  public Script {
    // It looks up quickly: each step asks.
    freedoms = freedoms.isEmpty() ? EnumSet.noneOf(Freedom.class) : EnumSet.copyOf(freedoms);
  }

  /** The same up to the last checkpoint, with nothing but this happening besides. */
  public Script ending(Course how, Set<Freedom> others) {
    return new Script(parallelism, source, checkpoints, how, others);
  }

  public boolean may(Freedom freedom) {
    return freedoms.contains(freedom);
  }

  public boolean stops() {
    return course == Course.STOPPED;
  }

  /** Tells the traces of runs apart that differ in where replayed records go. */
  long hashSeed() {
    return source.word().hashCode();
  }

  @Override
  public String toString() {
    return "p="
        + parallelism
        + " src="
        + source.word()
        + ", "
        + checkpoints
        + " checkpoints"
        + course.words
        + (may(Freedom.RESCALE) ? ", rescaled" : "");
  }
}
