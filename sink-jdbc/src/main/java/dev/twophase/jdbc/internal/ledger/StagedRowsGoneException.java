package dev.twophase.jdbc.internal.ledger;

/** Rows are not in the staging table; if the ledger has no commit, that is a proven loss. */
public final class StagedRowsGoneException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String evidence;
  private final boolean all;

  StagedRowsGoneException(String evidence, boolean all) {
    super(evidence);
    this.evidence = evidence;
    this.all = all;
  }

  /** Whether not one of those that were looked for is there. */
  boolean all() {
    return all;
  }

  /** What proves it. */
  String evidence() {
    return evidence;
  }
}
