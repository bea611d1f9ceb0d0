package dev.twophase.testkit.internal.gate;

import java.util.concurrent.Callable;

/** While a sink is made, outside any attempt. */
public final class SinkInTheMaking {

  private static final ThreadLocal<Boolean> UNDER_WAY = ThreadLocal.withInitial(() -> false);

  private SinkInTheMaking() {}

  /** Makes a sink. */
  public static <T> T make(Callable<T> how) throws Exception {
    UNDER_WAY.set(true);
    try {
      return how.call();
    } finally {
      UNDER_WAY.remove();
    }
  }

  /** Whether this thread is making one for nobody in particular. */
  public static boolean isUnderWay() {
    return CallGate.current() == null && UNDER_WAY.get();
  }
}
