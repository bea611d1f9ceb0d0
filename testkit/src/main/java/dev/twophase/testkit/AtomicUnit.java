package dev.twophase.testkit;

/** What a sink promises to make visible all at once, to a reader that reads all at once. */
public enum AtomicUnit {
  /** Nothing: the reader may see part of anything that is committed. */
  NONE,
  /** What one subtask wrote between two barriers (V1). */
  TRANSACTION,
  /** What all subtasks wrote between two barriers. */
  CHECKPOINT
}
