package dev.twophase.testkit.schedule;

/** What happens to one call of a sink or of a client that it uses. */
public enum FaultKind {
  /** The call fails before it has any effect. */
  ERROR('E'),
  /** The call takes effect, then its caller gets an error instead of the reply. */
  APPLIED('A'),
  /** The call never arrives, and its caller gets an error that does not say so. */
  NOT_APPLIED('N'),
  /** The caller gets an error, and nobody knows whether the call took effect. */
  UNKNOWN('U'),
  /** The process is killed just before the call. */
  KILL('K'),
  /** The call is held back until the schedule settles. */
  DELAYED('D');

  private final char letter;

  FaultKind(char letter) {
    this.letter = letter;
  }

  /** The letter that stands for it in a schedule. */
  public char letter() {
    return letter;
  }

  static FaultKind of(String text) {
    for (FaultKind kind : values()) {
      if (text.length() == 1 && text.charAt(0) == kind.letter) {
        return kind;
      }
    }
    throw new ScheduleSyntaxException(
        "'" + text + "' is no kind of fault: use one of E, A, N, U, K, D");
  }
}
