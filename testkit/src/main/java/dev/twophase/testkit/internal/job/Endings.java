package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.job.JobObserver.Operation;
import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.watch.HungException;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ways in which attempts come to their end. */
final class Endings<S> {

  private final Job<S> job;

  /** Of attempts that have ended and did not let go of everything. */
  private final List<CallGate> leftovers = new ArrayList<>(0);

  private @Nullable Throwable lastError;

  Endings(Job<S> job) {
    this.job = job;
  }

  boolean kill(RunningAttempt<S> attempt) {
    sever(attempt);
    return true;
  }

  private void sever(RunningAttempt<S> attempt) {
    attempt.gate.sever();
    RunningAttempt.Frozen frozen = attempt.frozen;
    if (frozen != null) {
      // It goes no further than to the call in which it finds itself dead.
      frozen.task().thaw();
      attempt.frozen = null;
    }
    bury(attempt, null);
  }

  boolean fail(RunningAttempt<S> attempt) {
    close(attempt);
    attempt.phase = Phase.DEAD;
    return true;
  }

  /** The end of a zombie: it goes on if it is frozen, and is closed. */
  void end(RunningAttempt<S> zombie) {
    while (job.thaw(zombie) && zombie.frozen != null) {
      // It froze again in a later call.
    }
    if (zombie.phase == Phase.ZOMBIE) {
      close(zombie);
    }
  }

  /** Closes an attempt in order; what that throws concerns nobody, as in Flink. */
  void close(RunningAttempt<S> attempt) {
    Subtask<S> subtask = attempt.subtask;
    attempt.phase = Phase.CLOSED;
    attempt.subtask = null;
    if (subtask == null) {
      return;
    }
    Invocation<?> invocation = job.invocation(attempt, subtask, Subtask::close);
    invocation.run();
    Throwable error = invocation.error();
    if (attempt.gate.severed()) {
      subtask.drop();
    }
    job.observer.observed(Operation.CLOSE, attempt, error);
    if (error instanceof HungException) {
      throw new InconclusiveException("The run ended when " + attempt + " hung while closing");
    }
  }

  /** A killed attempt is gone; one that had to be killed because it hung ends the run as well. */
  void buried(Operation operation, RunningAttempt<S> attempt, @Nullable Throwable error) {
    bury(attempt, null);
    if (error instanceof HungException) {
      job.observer.observed(operation, attempt, error);
      throw new InconclusiveException("The run ended when " + attempt + " hung");
    }
    job.observer.observed(operation, attempt, null);
  }

  void died(RunningAttempt<S> attempt, Throwable error) {
    lastError = error;
    close(attempt);
    attempt.phase = Phase.DEAD;
  }

  /** Forgets an attempt without any further call of it. */
  void bury(RunningAttempt<S> attempt, @Nullable Throwable error) {
    Subtask<S> subtask = attempt.subtask;
    attempt.subtask = null;
    attempt.phase = Phase.DEAD;
    if (error != null) {
      lastError = error;
    }
    if (subtask != null) {
      subtask.drop();
    }
  }

  /** An attempt makes way for its successor. */
  void retire(RunningAttempt<S> attempt) {
    if (attempt.phase != Phase.ZOMBIE && attempt.gate.holdsAnything()) {
      leftovers.add(attempt.gate);
    }
  }

  /** Ends whatever still runs, without any call of the sink. */
  void abandon() {
    job.attempts.forEach(this::sever);
    job.zombies.forEach(this::sever);
    leftovers.forEach(CallGate::sever);
  }

  /** What the last attempt that failed died of. */
  @Nullable Throwable lastError() {
    return lastError;
  }
}
