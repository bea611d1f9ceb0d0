package dev.twophase.examples.faults;

/** A place in the running job where a fault can strike. */
public enum Point {
  /** a writer or committer is being opened */
  OPEN,
  /** before a record is written */
  WRITE,
  /** after the transaction was prepared, before the checkpoint knows of it */
  PREPARED,
  /** before a prepared transaction is committed; its checkpoint is complete */
  COMMIT,
  /** after the commit was applied, before anyone was told */
  COMMITTED,
  /** in the operator before the sink */
  OPERATOR
}
