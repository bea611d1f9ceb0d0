package dev.twophase.testkit.internal.explore;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs subtrees ahead of when their results are asked for. With one worker nothing is run ahead:
 * the thread that asks does the work.
 */
final class Workers {

  private static final long IDLE_MILLIS = 200;

  private final @Nullable ThreadPoolExecutor threads;

  Workers(int count) {
    threads = count < 2 ? null : threads(count);
  }

  private static ThreadPoolExecutor threads(int count) {
    ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
    ThreadPoolExecutor made =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_MILLIS,
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "twophase-testkit-explorer");
              thread.setDaemon(true);
              thread.setContextClassLoader(classLoader);
              return thread;
            });
    // Nobody says when the last result has been asked for: idle threads end by themselves.
    made.allowCoreThreadTimeOut(true);
    return made;
  }

  Future<Subtree> begin(Subtree subtree) {
    FutureTask<Subtree> task = new FutureTask<>(subtree);
    if (threads != null) {
      threads.execute(task);
    }
    return task;
  }

  Subtree finish(Future<Subtree> begun) {
    if (threads == null && begun instanceof FutureTask<Subtree> task) {
      task.run();
    }
    try {
      return begun.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("A run failed outside the sink: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while schedules were running", e);
    }
  }
}
