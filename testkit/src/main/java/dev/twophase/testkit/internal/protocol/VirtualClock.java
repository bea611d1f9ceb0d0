package dev.twophase.testkit.internal.protocol;

import dev.twophase.internal.engine.EngineClock;

/** Time that passes only when somebody waits for it. */
final class VirtualClock implements EngineClock {

  private long now = 1_000_000;

  @Override
  public long millis() {
    return now;
  }

  @Override
  public void sleep(long millis) {
    now += millis;
  }

  void advanceTo(long time) {
    now = Math.max(now, 1_000_000 + time);
  }
}
