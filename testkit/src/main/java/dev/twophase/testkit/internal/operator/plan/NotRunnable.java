package dev.twophase.testkit.internal.operator.plan;

import dev.twophase.testkit.internal.watch.InconclusiveException;

/** Says that a sink has a part that this tier cannot run faithfully: which one, why, what to do. */
public final class NotRunnable {

  private static final String BEGINNING = "The operator tier cannot run ";

  private NotRunnable() {}

  /** Whether a reason was given here. */
  public static boolean isSaidBy(String reason) {
    return reason.startsWith(BEGINNING);
  }

  public static InconclusiveException because(String part, String why, String remedy) {
    return new InconclusiveException(BEGINNING + part + ": " + why + "; " + remedy);
  }
}
