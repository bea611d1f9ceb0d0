package dev.twophase.jdbc.internal.ledger;

/** Rows are neither in the staging table nor committed: a proven loss. */
public final class StagedRowsGoneException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String evidence;

  StagedRowsGoneException(String evidence) {
    super(evidence);
    this.evidence = evidence;
  }

  /** What proves it. */
  String evidence() {
    return evidence;
  }
}
