package dev.twophase.flink;

import dev.twophase.internal.engine.EngineClock;
import java.util.ArrayList;
import java.util.List;

/** Time that passes only when somebody sleeps, or when told to. */
final class ManualClock implements EngineClock {

  private final List<Long> sleeps = new ArrayList<>();
  private long now = 1_000_000;

  @Override
  public long millis() {
    return now;
  }

  @Override
  public void sleep(long millis) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    sleeps.add(millis);
    now += millis;
  }

  void advance(long millis) {
    now += millis;
  }

  List<Long> sleeps() {
    return sleeps;
  }

  long slept() {
    return sleeps.stream().mapToLong(Long::longValue).sum();
  }
}
