package dev.twophase.testkit.internal.watch;

import dev.twophase.testkit.internal.gate.Freezer;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Something asked of an attempt that may freeze in the middle: it then runs in a thread of its own,
 * while the job's thread waits until it is over or frozen. Only one of the two threads is ever at
 * work.
 */
public final class FreezableTask implements Freezer {

  private enum State {
    RUNNING,
    FROZEN,
    OVER
  }

  private static final ExecutorService THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          1,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> {
            Thread thread = new Thread(work, "twophase-testkit-attempt");
            thread.setDaemon(true);
            return thread;
          });

  private State state = State.RUNNING;
  private @Nullable Watch watch;

  /** Runs until it is over, then returns true; or until it is frozen, then returns false. */
  public boolean run(Runnable body) {
    ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
    THREADS.execute(
        () -> {
          Thread.currentThread().setContextClassLoader(classLoader);
          isWatchedBy(Watch.ofThisThread());
          try {
            body.run();
          } finally {
            become(State.OVER);
          }
        });
    return rest();
  }

  /** The call that was held back goes on; returns as {@link #run} does. */
  public boolean thaw() {
    become(State.RUNNING);
    return rest();
  }

  private synchronized boolean rest() {
    await(State.RUNNING, false);
    return state == State.OVER;
  }

  private synchronized void isWatchedBy(Watch own) {
    watch = own;
  }

  /** May be called by another thread than its own, for which its own then waits. */
  @Override
  public synchronized void freeze() {
    Watch own = Objects.requireNonNull(watch, "nothing is under way");
    own.pause();
    become(State.FROZEN);
    await(State.RUNNING, true);
    own.resume();
  }

  private synchronized void become(State next) {
    state = next;
    notifyAll();
  }

  /** Waits until this is, or no longer is, the state; being interrupted does not matter here. */
  private void await(State which, boolean is) {
    boolean interrupted = false;
    while ((state == which) != is) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
