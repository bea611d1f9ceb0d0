package dev.twophase.internal.engine;

/** Time as the protocol sees it, passed in so that the test kit can own it. */
public interface EngineClock {

  /** Wall-clock milliseconds. */
  long millis();

  /** Waits, interruptibly. */
  void sleep(long millis) throws InterruptedException;

  /** The real one. */
  static EngineClock system() {
    return new EngineClock() {
      @Override
      public long millis() {
        return System.currentTimeMillis();
      }

      @Override
      public void sleep(long millis) throws InterruptedException {
        Thread.sleep(millis);
      }
    };
  }
}
