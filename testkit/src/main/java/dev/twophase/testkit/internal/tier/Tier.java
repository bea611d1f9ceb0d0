package dev.twophase.testkit.internal.tier;

import dev.twophase.testkit.schedule.Verb;
import java.util.List;

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

  /** Whether steps with this verb can be executed here. */
  default boolean runs(Verb verb) {
    return true;
  }

  /** The job model regards a checkpoint as stored. */
  default void stored(long checkpointId) {}

  /** The job model has given a pending checkpoint up. */
  default void givenUp(long checkpointId) {}

  @Override
  void close();
}
