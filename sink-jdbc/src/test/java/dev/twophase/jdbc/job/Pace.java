package dev.twophase.jdbc.job;

import dev.twophase.jdbc.Order;
import java.util.concurrent.locks.LockSupport;

/**
 * How fast jobs make orders: in a moment up to some number, and from there on so slowly that none
 * is at its end when it is to be stopped, however late that is.
 */
final class Pace {

  private static final long QUICK_NANOS = 20_000;
  private static final long SLOW_NANOS = 20_000_000;

  private static volatile long quickUpTo = Long.MAX_VALUE;

  private Pace() {}

  static void quickUpTo(long number) {
    quickUpTo = number;
  }

  static void quick() {
    quickUpTo(Long.MAX_VALUE);
  }

  static Order order(long number) {
    LockSupport.parkNanos(number > quickUpTo ? SLOW_NANOS : QUICK_NANOS);
    return Order.of(number);
  }
}
