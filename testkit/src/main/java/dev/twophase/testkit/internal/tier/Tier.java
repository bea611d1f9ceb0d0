package dev.twophase.testkit.internal.tier;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way of running the subtasks of one sink. The job model above it decides what happens when, and
 * executes the same schedule on every tier; a tier only knows how to make it happen.
 *
 * @param <S> state of one subtask in one checkpoint: bytes only, nothing live
 */
public interface Tier<S> extends AutoCloseable {

  /**
   * Starts an attempt of one subtask: deploys a fresh copy of the sink, restores and opens it.
   *
   * @throws Exception what the sink threw; the attempt has then failed
   */
  Subtask<S> start(AttemptSpec<S> attempt) throws Exception;

  /** Redistributes the states of one checkpoint over another parallelism, as Flink would. */
  List<S> repartition(List<S> states, int parallelism);

  /** The job model regards a checkpoint as stored. */
  default void stored(long checkpointId) {}

  /** The job model has given a pending checkpoint up. */
  default void givenUp(long checkpointId) {}

  /** The job model regards a checkpoint as failed, and it is stored all the same. */
  default void doubted(long checkpointId) {}

  /**
   * A savepoint begins: the barriers that come next are its.
   *
   * @param ending how the job ends with it; null if it goes on
   */
  default void saving(long checkpointId, @Nullable Ending ending) {}

  /** A savepoint is complete. */
  default void saved(long checkpointId) {}

  /** The job model has lost an attempt, which goes on. */
  default void lost(int subtask, int attempt) {}

  /** How a job ends with a savepoint. */
  enum Ending {
    /** Its input is at its end. */
    DRAINED,
    SUSPENDED
  }

  @Override
  void close();
}
