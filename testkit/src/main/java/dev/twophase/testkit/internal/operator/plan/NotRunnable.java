package dev.twophase.testkit.internal.operator.plan;

import dev.twophase.testkit.internal.job.InconclusiveException;

/** Says that a sink has a part that this tier cannot run faithfully: which one, why, what to do. */
public final class NotRunnable {

  private NotRunnable() {}

  public static InconclusiveException because(String part, String why, String remedy) {
    return new InconclusiveException(
        "The operator tier cannot run " + part + ": " + why + "; " + remedy);
  }
}
