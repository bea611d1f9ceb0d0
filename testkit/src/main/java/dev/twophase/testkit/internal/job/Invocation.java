package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.watch.HungException;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.internal.watch.Watch;
import org.jspecify.annotations.Nullable;

/**
 * One call of an attempt, made by whatever thread, with the attempt's gate bound to it.
 *
 * @param <T> what is called
 */
final class Invocation<T> implements Runnable {

  /** What is done with it. */
  @FunctionalInterface
  interface Action<T> {
    void run(T target) throws Exception;
  }

  private final Watch watch;
  private final CallGate gate;
  private final T target;
  private final Action<? super T> action;
  private final long limitNanos;
  private @Nullable Throwable error;
  private @Nullable Throwable fatal;

  /**
   * @param watch of the job's thread
   * @param limitNanos how long it may take, in real time
   */
  Invocation(Watch watch, CallGate gate, T target, Action<? super T> action, long limitNanos) {
    this.watch = watch;
    this.gate = gate;
    this.target = target;
    this.action = action;
    this.limitNanos = limitNanos;
  }

  @Override
  public void run() {
    Watch here = watch.here();
    CallGate.bind(gate);
    here.begin(gate, limitNanos);
    try {
      action.run(target);
    } catch (Throwable thrown) {
      keep(thrown);
    } finally {
      Watch.Overdue overdue = here.end();
      gate.unbind();
      if (overdue != null) {
        keep(overdue);
      }
    }
  }

  private void keep(Watch.Overdue overdue) {
    if (overdue.stuck()) {
      error = new HungException(overdue.description());
    } else {
      fatal = new InconclusiveException("A call of the sink " + overdue.description());
    }
  }

  private void keep(Throwable thrown) {
    try {
      error = Job.refuseToSwallow(thrown);
    } catch (RuntimeException | Error refused) {
      fatal = refused;
    }
  }

  /** What the attempt threw; null if it did not. Throws what is not the attempt's fault. */
  @Nullable Throwable error() {
    if (fatal instanceof RuntimeException refused) {
      throw refused;
    }
    if (fatal instanceof Error refused) {
      throw refused;
    }
    return error;
  }
}
