package dev.twophase.file.internal.storage;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Does file operations in parallel: syncing and linking a thousand small files takes a thousand
 * waits for the disk, which overlap well. Threads end when idle; of a pool of one thread, that one
 * is the caller's. Used by one thread.
 */
public final class IoPool implements AutoCloseable {

  /** One of a number of independent file operations. */
  @FunctionalInterface
  public interface Operation {
    void run(int index) throws IOException;
  }

  private static final long IDLE_SECONDS = 10;

  private final int threads;
  private final ThreadPoolExecutor executor;

  public IoPool(int threads, String name) {
    this.threads = threads;
    AtomicInteger number = new AtomicInteger();
    this.executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
  }

  /**
   * Starts one operation, behind those started before; its error shows in {@link #await}. If too
   * many wait already, this thread does it, so that a queue never grows with the stream.
   */
  public <V> Future<V> start(Callable<V> operation) {
    FutureTask<V> task = new FutureTask<>(operation);
    if (threads > 1 && executor.getQueue().size() < threads) {
      executor.execute(task);
    } else {
      task.run();
    }
    return task;
  }

  /** Starts one operation that can as well be left out, if a thread is free for it. */
  public <V> Optional<Future<V>> startIfFree(Callable<V> operation) {
    if (threads == 1 || executor.getActiveCount() == threads || !executor.getQueue().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(executor.submit(operation));
  }

  /** The same if a thread will soon be free for it. */
  public <V> Optional<Future<V>> startIfFew(Callable<V> operation) {
    if (threads == 1 || executor.getQueue().size() >= threads) {
      return Optional.empty();
    }
    return Optional.of(executor.submit(operation));
  }

  /**
   * Runs operations 0 to {@code count - 1}, and returns when none runs any more. After an error no
   * further one is started.
   *
   * @throws IOException the first error
   */
  public void forEach(int count, Operation operation) throws IOException, InterruptedException {
    if (count <= 1) {
      if (count == 1) {
        operation.run(0);
      }
      return;
    }
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable IOException> failed = new AtomicReference<>();
    Runnable worker =
        () -> {
          try {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
              operation.run(i);
            }
          } catch (IOException error) {
            next.set(count);
            failed.compareAndSet(null, error);
          }
        };
    int helpers = Math.min(threads, count) - 1;
    Future<?>[] running = new Future<?>[helpers];
    for (int i = 0; i < helpers; i++) {
      running[i] = executor.submit(worker);
    }
    try {
      worker.run();
    } finally {
      next.set(count);
      for (Future<?> helper : running) {
        await(helper);
      }
    }
    IOException error = failed.get();
    if (error != null) {
      throw error;
    }
  }

  /**
   * Waits for an operation.
   *
   * @throws IOException its error
   */
  public static <V> V await(Future<V> operation) throws IOException, InterruptedException {
    try {
      return operation.get();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      if (cause instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw cause instanceof IOException io
          ? io
          : new IOException("A file operation failed", cause);
    }
  }

  /** Interrupts what still runs. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
