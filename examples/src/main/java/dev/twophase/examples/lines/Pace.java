package dev.twophase.examples.lines;

import java.io.Serializable;

/** How fast a {@link LineSource} may read. Called from the source's thread. */
public interface Pace {

  /** Whether the record at this position may be emitted now; if so, it has been accounted for. */
  boolean mayEmit(long position);

  /** Tells that a checkpoint is complete that holds all records before this position. */
  void checkpointed(long checkpointId, long position);

  /** Finds the pace on the machine where the source runs. */
  @FunctionalInterface
  interface Lookup extends Serializable {
    Pace get();
  }
}
