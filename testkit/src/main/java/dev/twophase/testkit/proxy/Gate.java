package dev.twophase.testkit.proxy;

/** Open or shut; who comes to a shut one waits. */
final class Gate {

  private boolean shut;

  synchronized void shut() {
    shut = true;
  }

  synchronized void open() {
    shut = false;
    notifyAll();
  }

  synchronized void pass() throws InterruptedException {
    while (shut) {
      wait();
    }
  }
}
