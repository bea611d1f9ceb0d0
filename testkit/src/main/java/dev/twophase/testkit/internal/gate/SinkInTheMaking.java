package dev.twophase.testkit.internal.gate;

import java.util.concurrent.Callable;

/** While a sink is made, outside any attempt. */
public final class SinkInTheMaking {

  private SinkInTheMaking() {}

  /** Makes a sink. */
  public static <T> T make(Callable<T> how) throws Exception {
    boolean before = CallGate.makesSink(true);
    try {
      return how.call();
    } finally {
      CallGate.makesSink(before);
    }
  }

  /** Whether this thread is making one for nobody in particular. */
  public static boolean isUnderWay() {
    return CallGate.makesSink();
  }
}
