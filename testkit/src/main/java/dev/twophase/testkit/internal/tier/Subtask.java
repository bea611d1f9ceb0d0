package dev.twophase.testkit.internal.tier;

import dev.twophase.testkit.TestRecord;

/**
 * A running attempt of one subtask. Each method does what Flink's task would do at that moment,
 * through the whole chain of the sink, and throws what the sink throws.
 */
public interface Subtask<S> {

  void input(TestRecord record) throws Exception;

  /** Pre-barrier step and snapshot of the whole chain; everything live is turned into bytes. */
  S snapshot(long checkpointId) throws Exception;

  void notifyComplete(long checkpointId) throws Exception;

  void notifyAborted(long checkpointId) throws Exception;

  void endOfInput() throws Exception;

  /** Advances the processing time that the sink sees to this many milliseconds. */
  void advanceClock(long processingTime) throws Exception;

  /** Orderly end of the attempt, as in a failover: closes the sink. */
  void close() throws Exception;

  /** Gives up the attempt as a killed process would: nothing of the sink is called. */
  void drop();
}
