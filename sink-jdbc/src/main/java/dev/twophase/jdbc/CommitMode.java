package dev.twophase.jdbc;

/** Where the rows of a checkpoint are between the checkpoint and their commit. */
public enum CommitMode {
  /** In the checkpoint or a staging table; nothing in the target is touched or locked. */
  LEDGER,
  /**
   * In the target, in a transaction that the database has prepared: the shortest commit, at the
   * price of locks from the checkpoint to the commit. PostgreSQL only, with {@code
   * max_prepared_transactions} of at least twice the parallelism; keep writer and committer
   * chained, as they are by default.
   */
  XA
}
