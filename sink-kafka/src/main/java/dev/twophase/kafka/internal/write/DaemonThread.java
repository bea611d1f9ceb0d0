package dev.twophase.kafka.internal.write;

import java.util.concurrent.ThreadFactory;

/** For work beside a task's own: named, and nothing that a process would wait for at its end. */
record DaemonThread(String name) implements ThreadFactory {

  @Override
  public Thread newThread(Runnable work) {
    Thread made = new Thread(work, name);
    made.setDaemon(true);
    return made;
  }
}
