package dev.twophase.testkit;

/** What a schedule showed. In order of severity, most severe first. */
public enum Verdict {
  /** A record of a stored checkpoint is missing after settling. */
  LOSS,
  /** A record is visible more than once. */
  DUPLICATE,
  /** A record came back changed, or was never written. */
  CORRUPT,
  /** A copy from an abandoned epoch is visible. */
  RESURRECTED,
  /** Part of a declared unit is visible to an atomic reader. */
  TORN,
  /** The sequence is inverted within the declared order scope. */
  REORDER,
  /** A record is visible before the checkpoint that holds it is complete. */
  EARLY,
  /**
   * Faults are over, and five recoveries in a row failed, be it with the declared error of a loss
   * or rewind where neither happened; or a call never returns.
   */
  WEDGE,
  /** Open or prepared work is left after settling. */
  LEAK,
  /** The run proves nothing: a planned fault did not fire, or a step could not be run. */
  INCONCLUSIVE,
  /**
   * The sink stopped with its declared loss or rewind error, after the external system had
   * forgotten something or the job was taken back: it did what it declares.
   */
  DETECTED,
  /** Nothing to object to. */
  PASS;

  /** Whether it accuses the sink of something. */
  public boolean accuses() {
    return compareTo(INCONCLUSIVE) < 0;
  }

  /** Whether the run proves something, and nothing against the sink. */
  public boolean passes() {
    return compareTo(INCONCLUSIVE) > 0;
  }
}
