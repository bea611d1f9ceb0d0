package dev.twophase.internal.engine;

import java.util.ArrayList;
import java.util.List;

/** Time that moves only when somebody waits. */
final class ManualClock implements EngineClock {

  long now = 1_000_000;
  final List<Long> sleeps = new ArrayList<>();
  boolean interrupted;

  @Override
  public long millis() {
    return now;
  }

  @Override
  public void sleep(long millis) throws InterruptedException {
    if (interrupted) {
      throw new InterruptedException("interrupted while waiting");
    }
    sleeps.add(millis);
    now += millis;
  }
}
