package dev.twophase.examples.run;

/** How a run ended, and the exit code of its process. */
public enum RunEnd {
  /** every fault struck, and the job reached the end of its input */
  FINISHED(0),
  /** a planned fault did not strike */
  NOT_STRUCK(2),
  /** the job failed or did not recover */
  FAILED(3);

  private final int exitCode;

  RunEnd(int exitCode) {
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }

  /** By exit code; anything unknown is a failure. */
  public static RunEnd of(int exitCode) {
    for (RunEnd end : values()) {
      if (end.exitCode == exitCode) {
        return end;
      }
    }
    return FAILED;
  }
}
